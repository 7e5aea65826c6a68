import type { Transfer } from '#shared/bridge/files'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import type { SshConnection } from '../ssh/client/transport'
import type { Job } from './transfer-job'
import { openOwn } from './sessions'

type MachineKey = Pick<Transfer, 'account' | 'machine'>

export interface DiscardsDeps {
  connection(machine: MachineKey): SshConnection | undefined
  needsChanged(): void
  readonly clock: Clock
}

const reconnectTimeoutSeconds = 60

/** Removes the incomplete copies of ended transfers. Their machines are needed until then. */
export function createDiscards(deps: DiscardsDeps) {
  const { clock } = deps
  const discards = new Map<Promise<unknown>, MachineKey>()
  const ready = createEmitter<(machine: MachineKey) => boolean>()

  const reconnected = (machine: MachineKey): Promise<SshConnection | undefined> =>
    new Promise((resolve) => {
      const stop = ready.on((isReady) => {
        if (isReady(machine)) end()
      })
      const cancel = clock.after(reconnectTimeoutSeconds, end)
      function end(): void {
        stop()
        cancel()
        resolve(deps.connection(machine))
      }
    })

  async function discard(machine: MachineKey, job: Job, waits: boolean): Promise<readonly string[]> {
    const connection = job.isOnMachine()
      ? (deps.connection(machine) ?? (waits ? await reconnected(machine) : undefined))
      : undefined
    const sftp = connection && (await openOwn(connection, clock).catch(() => undefined))
    const left = await job.discard(sftp).catch(() => [])
    sftp?.close()
    return left
  }

  return {
    /** Returns the paths that could not be removed. `waits`: until the machine is connected. Never rejects. */
    async discard(machine: MachineKey, job: Job, waits: boolean): Promise<readonly string[]> {
      const discarding = discard(machine, job, waits)
      discards.set(discarding, machine)
      deps.needsChanged()
      const left = await discarding
      discards.delete(discarding)
      deps.needsChanged()
      return left
    },
    needs: (account: string, machine: string): boolean =>
      [...discards.values()].some((needed) => needed.account === account && needed.machine === machine),
    connected: (): void => ready.emit((machine) => deps.connection(machine) !== undefined),
    /** Stops waiting for connections. Resolves once the copies on connected machines are removed. */
    async end(isGone: (machine: MachineKey) => boolean): Promise<void> {
      ready.emit(isGone)
      await Promise.all(
        [...discards].filter(([, machine]) => isGone(machine)).map(([discarding]) => discarding),
      )
    },
  }
}
