import type { MachineView } from '#shared/bridge/fleet'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { SshConnection } from '../client/transport'
import type { SshMachines } from './index'
import { type LeaseUse, type SshLease, unusedLink } from './lease'

export interface LeaseWhileDeps extends LeaseUse {
  readonly machines: Pick<SshMachines, 'acquire'>
  /** Whether something needs the connection now. */
  isWanted(): boolean
  /** Returns the machine from the list. */
  view(): MachineView | undefined
}

/** Holds a lease on a machine's connection while something needs it. */
export function leaseWhile(deps: LeaseWhileDeps) {
  let lease: SshLease | undefined
  let isClosed = false
  const use: LeaseUse = {
    ...deps,
    // The link is known once the lease is.
    changed: () => {
      if (lease) deps.changed()
    },
  }

  function release(): void {
    const ended = lease
    lease = undefined
    if (ended?.connection()) deps.closed()
    ended?.release()
  }

  return {
    view: (): SshLink => lease?.link() ?? unusedLink(deps.view()),
    connection: (): SshConnection | undefined => lease?.connection(),
    target: (): ReturnType<SshLease['target']> => lease?.target(),
    /** Acquires or releases the lease, as `isWanted` requires. The caller reports the new link. */
    settle(): void {
      if (isClosed) return
      if (!deps.isWanted()) release()
      else if (lease) lease.update()
      else lease = deps.machines.acquire(use)
    },
    /** Connects now, because the user wants it. */
    retry: (): void => lease?.retry(),
    close(): void {
      isClosed = true
      release()
    },
  }
}
