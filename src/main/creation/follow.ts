import type { AccountId } from '#shared/bridge/account'
import { machineState } from '#shared/service/machine-state'
import { failureOf } from '../core/failure-of'
import type { KeyedTimers } from '../core/keyed-timers'
import type { openDrafts } from './drafts'
import { type Entry, type EntryBook, viewOf } from './entries'
import type { CreationDeps } from './deps'

/** Seconds between two looks at a bare metal instance that is being created. */
const bareMetalPause = 15

/** Follows what was created until it runs, or failed to. */
export function createFollowing(
  deps: Pick<CreationDeps, 'accounts' | 'fleet' | 'useIdentity' | 'bareMetalCreated' | 'settled' | 'report'>,
  entries: EntryBook,
  drafts: ReturnType<typeof openDrafts>,
  timers: KeyedTimers,
) {
  const { accounts, fleet, report } = deps

  async function settle(entry: Entry, kind: 'running' | 'failed', machine: string): Promise<void> {
    if (entries.get(entry.id)?.state.kind !== 'created') return
    const found = 'found' in entry.state && entry.state.found
    const written = entries.update(entry.account, entry.id, (known) => ({
      ...known,
      state: { kind, machine, found },
    }))
    const done = entries.get(entry.id)
    if (done) deps.settled(viewOf(done))
    await written
  }

  async function setIdentity(entry: Entry, machine: string): Promise<void> {
    const { identityFile } = entry
    if (identityFile === null) return
    await entries.update(entry.account, entry.id, (known) => ({ ...known, identityFile: null }))
    await deps
      .useIdentity(entry.account, machine, identityFile)
      .catch((error: unknown) => report('creation.identity', error))
  }

  /** What the fleet now says about the machines that were created. */
  async function follow(account: AccountId): Promise<void> {
    for (const entry of entries.of(account)) {
      if (entry.kind !== 'machine' || entry.state.kind !== 'created') continue
      const { machine } = entry.state
      const known = fleet.view(account, machine)
      if (!known) continue
      await setIdentity(entry, machine)
      const state = machineState(known.status)
      if (state === 'running' || state === 'failed') await settle(entry, state, machine)
    }
  }

  async function followBareMetal(id: string): Promise<void> {
    const entry = entries.get(id)
    if (entry?.state.kind !== 'created') return
    const { machine } = entry.state
    try {
      const { status, fixed_ip } = await accounts.service(entry.account).bareMetal.get(machine)
      if (timers.isClosed()) return
      const state = status ? machineState(status) : fixed_ip ? 'running' : 'moving'
      if (state === 'running' || state === 'failed') return await settle(entry, state, machine)
    } catch (error) {
      const failure = failureOf(error, 'creation.follow')
      // Gone before it ran: there is nothing left to follow.
      if (failure.kind === 'refused-by-service' && failure.status === 404) return
    }
    timers.set(id, bareMetalPause, () => followBareMetal(id))
  }

  async function meet(account: AccountId, machine: string): Promise<void> {
    await fleet.refresh(account)
    // A reading that began before may not include it.
    if (!fleet.view(account, machine)) await fleet.refresh(account)
    await follow(account)
  }

  async function remember(account: AccountId, id: string, machine: string, name: string): Promise<void> {
    timers.set(id, bareMetalPause, () => followBareMetal(id))
    await deps.bareMetalCreated(account, { id: machine, name })
    const entry = entries.get(id)
    if (entry) await setIdentity(entry, machine)
  }

  return {
    follow,
    followBareMetal,
    /** Takes a machine for the creation's own and begins to follow it. Never fails: what cannot be kept is reported. */
    begin(entry: Entry, machine: string, found: boolean): void {
      const { account, id, kind, name } = entry
      timers.cancel(id)
      const kept = [
        entries.claim(account, id, machine),
        entries.update(account, id, (known) => ({
          ...known,
          name,
          before: [],
          state: { kind: 'created', machine, found },
        })),
        drafts.settle(entry),
      ]
      kept.push(kind === 'machine' ? meet(account, machine) : remember(account, id, machine, name))
      for (const one of kept) one.catch((error: unknown) => report('creation.follow', error))
    },
  }
}
