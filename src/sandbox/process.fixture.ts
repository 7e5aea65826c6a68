import type { Serializable } from 'node:child_process'

// Replaces the parent port of Electron's utility process by Node's own channel.
Reflect.set(process, 'parentPort', {
  on: (_: 'message', listener: (event: { readonly data: unknown }) => void) =>
    process.on('message', (data) => {
      // Simulates an unhandled rejection in the sandbox.
      if (data === 'reject') void Promise.reject(new Error('nobody waits for this'))
      else listener({ data })
    }),
  postMessage: (message: Serializable) => process.send?.(message),
})
