import type { AccountId } from '#shared/bridge/account'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { defineModule } from '../../core/module'
import type { SshConnection } from '../client/transport'
import { type FollowedMachines, followMachines } from '../follow-machines'
import type { Ssh } from '../index'
import type { OpenConsents } from './consents'
import { type LeaseUse, mayRun, type SshLease } from './lease'
import { type MachineEntry, newEntry } from './machine-entry'
import { createMachineLinks, type MachineLinks, type MachineLinksDeps } from './machine-links'

export interface SshMachinesDeps extends Omit<FollowedMachines, 'machine'>, Omit<MachineLinksDeps, 'ssh'> {
  readonly ssh: Pick<Ssh, 'reach' | 'record' | 'onReachChange'>
  readonly consents: Pick<OpenConsents, 'has' | 'onChange'>
}

/** Time for which a connection stays open after the last lease of a user, for example between two tabs. */
const graceSeconds = 30

/** Leases on the links of machines. */
function createLeases(
  { clock, consents, machine: machineOf }: Pick<SshMachinesDeps, 'clock' | 'consents' | 'machine'>,
  links: MachineLinks,
  entries: Map<string, MachineEntry>,
) {
  function entryOf(account: AccountId, machine: string): MachineEntry {
    const key = resourceKey(account, machine)
    const entry = entries.get(key) ?? newEntry(account, machine)
    entries.set(key, entry)
    return entry
  }

  function forgetUnused({ account, machine, leases, refused }: MachineEntry): void {
    if (leases.size === 0 && refused.size === 0) entries.delete(resourceKey(account, machine))
  }

  function release(entry: MachineEntry, use: LeaseUse): void {
    if (entry.refused.delete(use)) {
      if (!entry.connection) forgetUnused(entry)
      return
    }
    if (!entry.leases.delete(use)) return
    if (entry.leases.size > 0) return links.settle(entry)
    const drop = (): void => {
      links.end(entry)
      forgetUnused(entry)
    }
    entry.cancelGrace()
    const runs = mayRun(machineOf(entry.account, entry.machine))
    // Only a user comes back, and a connection that nothing needs is not reopened.
    if (links.isClosed() || !entry.connection || !runs || !use.mayAsk()) drop()
    else entry.cancelGrace = clock.after(graceSeconds, drop)
  }

  const isAllowed = ({ account, machine, purpose }: LeaseUse): boolean =>
    purpose === 'action' || consents.has(account, machine, purpose)

  function admit(entry: MachineEntry, use: LeaseUse): void {
    entry.cancelGrace()
    entry.leases.add(use)
    const { connection } = entry
    if (connection)
      queueMicrotask(() => {
        if (entry.leases.has(use) && entry.connection === connection) use.opened(connection)
      })
    links.settle(entry)
  }

  return {
    acquire(use: LeaseUse): SshLease {
      const entry = entryOf(use.account, use.machine)
      if (isAllowed(use)) admit(entry, use)
      else entry.refused.add(use)
      const isHeld = (): boolean => entry.leases.has(use)
      return {
        link: () => (entry.refused.has(use) ? { kind: 'off', why: 'no-consent' } : links.viewOf(entry)),
        connection: () => (isHeld() ? entry.connection : undefined),
        target: () => entry.link?.target(),
        update: () => {
          if (isHeld()) links.settle(entry)
        },
        retry(): void {
          if (!isHeld()) return
          links.dropStop(use.account, use.machine)
          links.settle(entry, true)
        },
        trust: async (fingerprint) => (isHeld() && (await entry.link?.trust(fingerprint))) || false,
        release: () => release(entry, use),
      }
    },
    /** Admits and refuses leases after a change of the user's consent. A connection without a lease closes at once. */
    reviewConsents(entry: MachineEntry): void {
      const granted = [...entry.refused].filter(isAllowed)
      const withdrawn = [...entry.leases].filter((use) => !isAllowed(use))
      for (const use of withdrawn) {
        entry.leases.delete(use)
        entry.refused.add(use)
        if (entry.connection) use.closed()
      }
      for (const use of granted) {
        entry.refused.delete(use)
        admit(entry, use)
      }
      if (entry.leases.size === 0) links.end(entry)
      links.settle(entry)
      for (const use of [...granted, ...withdrawn]) use.changed()
    },
  }
}

/**
 * The one SSH connection to each machine, which everything but terminals shares. `acquire` returns a lease: the connection
 * opens with the first lease and stays open while there is one. All leases share one first contact, one retry schedule and
 * one state. A lease without the user's consent is refused only here: its link is `no-consent` until the user allows its
 * purpose.
 */
export function createSshMachines(deps: SshMachinesDeps) {
  const entries = new Map<string, MachineEntry>()
  const links = createMachineLinks(deps, entries)
  const { acquire, reviewConsents } = createLeases(deps, links, entries)

  const stops = [
    followMachines(deps, {
      machines: () => entries.values(),
      settle: links.settleAll,
      forget(account, gone) {
        for (const entry of entries.values())
          if (entry.account === account && gone(entry.machine)) links.dropStop(account, entry.machine)
      },
    }),
    deps.consents.onChange(({ account, machines }) => {
      for (const entry of Array.from(entries.values()))
        if (entry.account === account && machines?.includes(entry.machine) !== false) reviewConsents(entry)
    }),
    deps.ssh.onReachChange(({ account, machine }) => {
      links.dropStop(account, machine)
      for (const entry of entries.values())
        if (entry.account === account && (machine ?? entry.machine) === entry.machine)
          links.settle(entry, true)
    }),
  ]

  return defineModule({
    handlers: {},
    events: {},
    acquire,
    /**
     * Runs `use`, an action of the user, over the connection to a machine. Opens no connection: resolves to null if none
     * is open now.
     */
    async ifConnected<Value>(
      account: AccountId,
      machine: string,
      use: (connection: SshConnection) => Promise<Value>,
    ): Promise<Value | null> {
      const connection = entries.get(resourceKey(account, machine))?.connection
      if (!connection) return null
      const lease = acquire({
        account,
        machine,
        purpose: 'action',
        mayAsk: () => true,
        trustsFirstKey: () => false,
        isUrgent: () => false,
        changed: () => undefined,
        opened: () => undefined,
        closed: () => undefined,
      })
      try {
        return await use(connection)
      } finally {
        lease.release()
      }
    },
    /** Number of open connections. */
    openConnections: (): number =>
      Array.from(entries.values()).filter(({ connection }) => connection !== undefined).length,
    wakeChanged: links.wakeChanged,
    forgetAccount(account: AccountId): void {
      links.dropStop(account, null)
      for (const [key, entry] of entries) if (isKeyOf(account, key)) links.settle(entry)
    },
    close(): void {
      for (const stop of stops) stop()
      links.close()
      entries.clear()
    },
  })
}
export type SshMachines = ReturnType<typeof createSshMachines>
