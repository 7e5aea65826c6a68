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
        reject(new FailureError({ kind: 'local-fault', action: 'start-sandbox', reason }))
      started.once('exit', (code) => {
        if (child === started) child = undefined
        fail(`exit code ${code}`)
      })
      started.once('message', (received: unknown) => {
        const message = Message.safeParse(received)
        if (!message.success) fail('unexpected message')
        else if ('failed' in message.data) fail(message.data.failed)
        else resolve(message.data.ready)
      })
      started.postMessage({ ...world, port: 0, secret, identityFile, ...dataFile })
    })
  }

  const close = (): void => {
    child?.kill()
  }

  return {
    start,
    close,
    /** Ends the process and removes its world. */
    async forget(): Promise<void> {
      // As it ends it writes its world once more.
      const ending = child
      if (ending?.kill()) await once(ending, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
