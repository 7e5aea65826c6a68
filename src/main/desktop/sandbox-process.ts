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

/** The world that people look around in; always the same one. */
const world = { seed: 7, machines: 12, speed: 1 }

/**
 * The sandbox in a process of its own. Its world is kept in `folder` where the secret that its passwords and keys are
 * made from is kept too; else it lasts as long as the process.
 */
export function sandboxProcess(script: string, folder: string) {
  let child: UtilityProcess | undefined
  let lost: () => Promise<void> = () => Promise.resolve()

  /** Starts the process and waits until it answers. Fails with local-fault. */
  async function start({ secret, persistent, fresh }: SandboxSecret): Promise<SandboxAccess> {
    if (fresh) await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const started = utilityProcess.fork(script, [], { serviceName: 'Wheelhouse sandbox' })
    child = started
    const identityFile = join(folder, 'sandbox_ed25519')
    const dataFile = persistent ? { dataFile: join(folder, 'world.json') } : {}
    return new Promise((resolve, reject) => {
      const fail = (reason: string) =>
        reject(new FailureError({ kind: 'local-fault', action: 'accounts.startSandbox', reason }))
      let ready = false
      started.once('exit', (code) => {
        fail(`exit code ${code}`)
        if (child !== started) return
        child = undefined
        if (ready) void lost()
      })
      started.once('message', (received: unknown) => {
        const message = Message.safeParse(received)
        if (!message.success) fail('unexpected message')
        else if ('failed' in message.data) fail(message.data.failed)
        else {
          ready = true
          resolve(message.data.ready)
        }
      })
      started.postMessage({ ...world, port: 0, secret, identityFile, ...dataFile })
    })
  }

  /** Ends the process on purpose: it is not reported as lost. */
  const end = (): UtilityProcess | undefined => {
    const ending = child
    child = undefined
    return ending?.kill() ? ending : undefined
  }

  return {
    start,
    close: (): void => void end(),
    /** Called where the process ends unasked after it answered. */
    onLost: (listener: () => Promise<void>): void => {
      lost = listener
    },
    /** Ends the process and removes its world. */
    async forget(): Promise<void> {
      // As it ends it writes its world once more.
      const ending = end()
      if (ending) await once(ending, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
