import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshLink } from '#shared/bridge/ssh-link'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../../core/clock'
import { isRecent } from '../../core/elapsed'
import { type ScriptShell, scriptShell } from '../../ssh/client/script-shell'
import type { OpenConsents } from '../../ssh/machines/consents'
import type { SshMachines } from '../../ssh/machines/index'
import { mayRun, unusedLink } from '../../ssh/machines/lease'
import type { StoredIdlePower } from '../tools/activity'
import type { Exec } from '../tools/read-gpus'
import { type MachineWatch, type MachineWatchDeps, machineWatch } from './machine-watch'

export interface WatchesDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  machines(account: AccountId): readonly string[]
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: OpenConsents
  /** Lowest power of each GPU without work in the stored samples (activity.ts). */
  idlePower(account: AccountId, machine: string): ReturnType<StoredIdlePower>
  readonly clock: Clock
}

/** Time in seconds for which a machine needs no turn after each question about an automatic end. */
const neededSeconds = 180

interface Events {
  /** `exec`: runs a script over the new connection; null: the connection has closed. */
  connected(account: AccountId, machine: string, exec: Exec | null): void
  changed(account: AccountId, machine: string): void
  read(account: AccountId, machine: string, ...answer: Parameters<MachineWatchDeps['read']>): void
}

interface Watched {
  readonly account: AccountId
  readonly machine: string
  readonly watch: MachineWatch
}

/** Watches every running machine that the user allows to be read. */
export function createWatches(deps: WatchesDeps, events: Events) {
  const { consents } = deps
  const watched = new Map<string, Watched>()
  const focused = new Set<string>()
  /** Epoch seconds of the last call of `need`. */
  const neededAt = new Map<string, number>()
  let isClosed = false

  const isWanted = (account: AccountId, machine: string): boolean =>
    consents.has(account, machine, 'gpu') && mayRun(deps.machine(account, machine))

  function begin(account: AccountId, machine: string): void {
    const key = resourceKey(account, machine)
    let shell: ScriptShell | undefined
    const watch = machineWatch({
      acquire: (use) => {
        const lease = deps.sshMachines.acquire({
          ...use,
          opened: (connection) => {
            // Readings of GPUs and of health share one channel.
            shell = scriptShell(connection)
            use.opened(shell.exec)
            events.connected(account, machine, shell.exec)
          },
          closed: () => {
            shell?.close()
            use.closed()
            events.connected(account, machine, null)
          },
          account,
          machine,
          purpose: 'gpu',
          // Background readings never ask for a password.
          mayAsk: () => false,
          trustsFirstKey: () => consents.hasAll(account, 'gpu'),
          // A machine in view does not wait for its turn.
          isUrgent: () => focused.has(key),
          isNeeded: () => isRecent(neededAt.get(key) ?? -Infinity, neededSeconds, deps.clock.now()),
        })
        return {
          ...lease,
          release: () => {
            shell?.close()
            lease.release()
          },
        }
      },
      changed: () => events.changed(account, machine),
      read: (report, at) => events.read(account, machine, report, at),
      idlePower: () => deps.idlePower(account, machine),
      clock: deps.clock,
    })
    watched.set(key, { account, machine, watch })
    watch.focus(focused.has(key))
    events.changed(account, machine)
  }

  /** Watches the running machines with consent, and no others. Call when machines or consents change. */
  function reconcileConnections(): void {
    if (isClosed) return
    for (const [key, { account, machine, watch }] of watched) {
      if (isWanted(account, machine)) watch.update()
      else {
        watched.delete(key)
        watch.close()
        events.connected(account, machine, null)
        events.changed(account, machine)
      }
    }
    for (const account of consents.accounts()) {
      const ids = consents.hasAll(account, 'gpu')
        ? deps.machines(account)
        : consents.consented(account, 'gpu')
      for (const machine of ids)
        if (!watched.has(resourceKey(account, machine)) && isWanted(account, machine)) begin(account, machine)
    }
  }

  const find = (account: AccountId, machine: string): MachineWatch | undefined =>
    watched.get(resourceKey(account, machine))?.watch

  return {
    find,
    reconcileConnections,
    link(account: AccountId, machine: string): SshLink {
      if (!consents.has(account, machine, 'gpu')) return { kind: 'off', why: 'no-consent' }
      return find(account, machine)?.link() ?? unusedLink(deps.machine(account, machine))
    },
    focus(account: AccountId, machine: string, looking: boolean): void {
      if (looking) focused.add(resourceKey(account, machine))
      else focused.delete(resourceKey(account, machine))
      find(account, machine)?.focus(looking)
      find(account, machine)?.update()
    },
    /** Keeps a machine connected for a while. */
    need(account: AccountId, machine: string): void {
      neededAt.set(resourceKey(account, machine), deps.clock.now())
      find(account, machine)?.update()
    },
    isFocused: (account: AccountId, machine: string): boolean => focused.has(resourceKey(account, machine)),
    blur(): void {
      const blurred = [...focused]
      focused.clear()
      for (const key of blurred) {
        watched.get(key)?.watch.focus(false)
        watched.get(key)?.watch.update()
      }
    },
    retry(account: AccountId, matches: (link: SshLink, machine: string) => boolean): void {
      for (const entry of Array.from(watched.values()))
        if (entry.account === account && matches(entry.watch.link(), entry.machine)) entry.watch.retry()
    },
    close(): void {
      isClosed = true
      for (const { watch } of watched.values()) watch.close()
      watched.clear()
    },
  }
}
