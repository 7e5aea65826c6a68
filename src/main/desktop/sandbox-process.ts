import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { utilityProcess, type UtilityProcess } from 'electron'
import { z } from 'zod'
import { FailureError } from '#shared/failure'
import type { SandboxAccess, SandboxSecret } from '../accounts/index'

const Message = z.union([
  z.object({
    ready: z.object({
      baseUrl: z.string(),
      username: z.string(),
      password: z.string(),
      sshPort: z.number(),
      identityFile: z.string(),
    }),
  }),
  z.object({ failed: z.string() }),
])

const world = { seed: 7, machines: 12, speed: 1 }

/**
 * Runs the sandbox in a separate process. The world is stored in `folder` if the secret behind its passwords and keys is
 * stored too; otherwise it lasts as long as the process.
 */
export function sandboxProcess(script: string, folder: string) {
  let child: UtilityProcess | undefined
  let lost: () => Promise<void> = () => Promise.resolve()

  /** Starts the process and waits for its first answer. Fails with local-fault. */
  async function start({ secret, persistent, fresh }: SandboxSecret): Promise<SandboxAccess> {
    if (fresh) await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const sandbox = utilityProcess.fork(script, [], { serviceName: 'Wheelhouse sandbox' })
    child = sandbox
    const identityFile = join(folder, 'sandbox_ed25519')
    const dataFile = persistent ? { dataFile: join(folder, 'world.json') } : {}
    return new Promise((resolve, reject) => {
      const fail = (reason: string) =>
        reject(new FailureError({ kind: 'local-fault', action: 'accounts.startSandbox', reason }))
      let isReady = false
      sandbox.once('exit', (code) => {
        fail(`exit code ${code}`)
        if (child !== sandbox) return
        child = undefined
        if (isReady) void lost()
      })
      sandbox.once('message', (received: unknown) => {
        const message = Message.safeParse(received)
        if (!message.success) fail('unexpected message')
        else if ('failed' in message.data) fail(message.data.failed)
        else {
          isReady = true
          resolve(message.data.ready)
        }
      })
      sandbox.postMessage({ ...world, port: 0, secret, identityFile, ...dataFile })
    })
  }

  /** Ends the process without reporting it as lost. */
  const end = (): UtilityProcess | undefined => {
    const stopped = child
    child = undefined
    return stopped?.kill() ? stopped : undefined
  }

  return {
    start,
    close: (): void => void end(),
    /** Sets the listener for a process that ends unexpectedly after its first answer. */
    onLost: (listener: () => Promise<void>): void => {
      lost = listener
    },
    async forget(): Promise<void> {
      // The process writes its world once more as it ends.
      const stopped = end()
      if (stopped) await once(stopped, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
