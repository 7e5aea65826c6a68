import type { Transfer } from '#shared/bridge/files'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import type { SshConnection } from '../ssh/client/transport'
import type { Job } from './transfer-job'
import { openOwn } from './sessions'

type Place = Pick<Transfer, 'account' | 'machine'>

export interface DiscardsDeps {
  connection(of: Place): SshConnection | undefined
  /** Whether a machine is needed has changed. */
  needsChanged(): void
  readonly clock: Clock
}

/** Seconds that a machine may take to be connected to again. */
const discardTimeoutSeconds = 60

/** Removes what ended transfers have copied. Until then their machines are needed. */
export function createDiscards(deps: DiscardsDeps) {
  const { clock } = deps
  const places = new Map<Promise<unknown>, Place>()
  /** Which discards wait no longer for their machine. */
  const ready = createEmitter<(of: Place) => boolean>()

  const arrival = (of: Place): Promise<SshConnection | undefined> =>
    new Promise((resolve) => {
      const stop = ready.on((isReady) => {
        if (isReady(of)) end()
      })
      const cancel = clock.after(discardTimeoutSeconds, end)
      function end(): void {
        stop()
        cancel()
        resolve(deps.connection(of))
      }
    })

  async function discard(of: Place, job: Job, waits: boolean): Promise<readonly string[]> {
    const connection = job.isOnMachine()
      ? (deps.connection(of) ?? (waits ? await arrival(of) : undefined))
      : undefined
    const sftp = connection && (await openOwn(connection, clock).catch(() => undefined))
    const left = await job.discard(sftp).catch(() => [])
    sftp?.close()
    return left
  }

  return {
    /** Answers the paths of what could not be removed. `waits`: for a machine that is not connected. Never rejects. */
    async discard(of: Place, job: Job, waits: boolean): Promise<readonly string[]> {
      const discarding = discard(of, job, waits)
      places.set(discarding, of)
      deps.needsChanged()
      const left = await discarding
      places.delete(discarding)
      deps.needsChanged()
      return left
    },
    needs: (account: string, machine: string): boolean =>
      [...places.values()].some((of) => of.account === account && of.machine === machine),
    /** A machine is connected. */
    connected: (): void => ready.emit((of) => deps.connection(of) !== undefined),
    /** Waits no longer for machines that are not connected. Resolves once all is removed there that can be. */
    async end(isGone: (of: Place) => boolean): Promise<void> {
      ready.emit(isGone)
      await Promise.all([...places].filter(([, of]) => isGone(of)).map(([discarding]) => discarding))
    },
  }
}
