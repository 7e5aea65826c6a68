import type { Serializable } from 'node:child_process'

// Stands for Electron's utility process where there is plain Node: its parent port, over Node's own channel.
Reflect.set(process, 'parentPort', {
  on: (_: 'message', listener: (event: { readonly data: unknown }) => void) =>
    process.on('message', (data) => {
      // Stands for a fault that no code of the sandbox waits for.
      if (data === 'reject') void Promise.reject(new Error('nobody waits for this'))
      else listener({ data })
    }),
  postMessage: (message: Serializable) => process.send?.(message),
})
