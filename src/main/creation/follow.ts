import type { AccountId } from '#shared/bridge/account'
import { machineState } from '#shared/service/machine-state'
import { failureOf } from '../core/failure-of'
import { presenceAfter } from '../core/absences'
import type { KeyedTimers } from '../core/keyed-timers'
import type { openDrafts } from './drafts'
import { type Entry, type EntryBook, viewOf } from './entries'
import type { CreationDeps } from './deps'

/** Pause between two requests for a bare metal instance that is being created. */
const bareMetalIntervalSeconds = 15
/** Consecutive 404 answers that prove a machine is gone: a service may know a new machine only later. */
const minDenials = 2

export function createFollowing(
  deps: Pick<CreationDeps, 'accounts' | 'fleet' | 'useIdentity' | 'bareMetalCreated' | 'settled' | 'report'>,
  entries: EntryBook,
  drafts: ReturnType<typeof openDrafts>,
  timers: KeyedTimers,
) {
  const { accounts, fleet, report } = deps
  const denials = new Map<string, number>()
  /** Fleet reading (`asOf`) after which a machine's details were last read, by creation. */
  const lookedAfter = new Map<string, number>()

  async function settle(entry: Entry, kind: 'running' | 'failed', machine: string): Promise<void> {
    if (entries.get(entry.id)?.state.kind !== 'created') return
    const isFound = 'found' in entry.state && entry.state.found
    const written = entries.update(entry.account, entry.id, (known) => ({
      ...known,
      state: { kind, machine, found: isFound },
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

  /** Ends a creation whose machine disappeared before it ran. */
  async function end({ account, id }: Entry): Promise<void> {
    timers.cancel(id)
    denials.delete(id)
    lookedAfter.delete(id)
    await entries.remove(account, id)
  }

  /** Handles an error in reading a created machine's details. Returns whether the creation is over. */
  async function endIfGone(entry: Entry, error: unknown): Promise<boolean> {
    const isDenied = presenceAfter(failureOf(error, 'creation.follow')) === 'absent'
    const count = isDenied ? (denials.get(entry.id) ?? 0) + 1 : 0
    denials.set(entry.id, count)
    if (count < minDenials) return false
    await end(entry)
    return true
  }

  /** Reads the details of a created machine that the fleet reading does not name, once per reading. */
  async function lookAtMissing(entry: Entry, machine: string, asOf: number): Promise<void> {
    if (lookedAfter.get(entry.id) === asOf) return
    lookedAfter.set(entry.id, asOf)
    try {
      await accounts.service(entry.account).machines.get(machine)
      denials.delete(entry.id)
    } catch (error) {
      if (!timers.isClosed()) await endIfGone(entry, error)
    }
  }

  /** Follows created machines. `asOf`: time of the last fleet reading, if none is running. */
  async function follow(account: AccountId, asOf: number | null = null): Promise<void> {
    for (const entry of entries.of(account)) {
      if (entry.kind !== 'machine' || entry.state.kind !== 'created') continue
      const { machine } = entry.state
      const known = fleet.view(account, machine)
      if (!known) {
        if (asOf !== null) await lookAtMissing(entry, machine, asOf)
        continue
      }
      denials.delete(entry.id)
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
      denials.delete(id)
    } catch (error) {
      if (timers.isClosed() || (await endIfGone(entry, error))) return
    }
    timers.set(id, bareMetalIntervalSeconds, () => followBareMetal(id))
  }

  async function meet(account: AccountId, machine: string): Promise<void> {
    await fleet.refresh(account)
    // A reading that began earlier may not include the machine.
    if (!fleet.view(account, machine)) await fleet.refresh(account)
    await follow(account)
  }

  async function remember(account: AccountId, id: string, machine: string, name: string): Promise<void> {
    timers.set(id, bareMetalIntervalSeconds, () => followBareMetal(id))
    await deps.bareMetalCreated(account, { id: machine, name })
    const entry = entries.get(id)
    if (entry) await setIdentity(entry, machine)
  }

  return {
    follow,
    followBareMetal,
    /** Assigns a machine to the creation and follows it. Never fails: errors are reported. */
    begin(entry: Entry, machine: string, found: boolean): void {
      const { account, id, kind, name } = entry
      timers.cancel(id)
      const writes = [
        entries.claim(account, id, machine),
        entries.update(account, id, (known) => ({
          ...known,
          name,
          before: [],
          state: { kind: 'created', machine, found },
        })),
        drafts.settle(entry),
      ]
      writes.push(kind === 'machine' ? meet(account, machine) : remember(account, id, machine, name))
      for (const write of writes) write.catch((error: unknown) => report('creation.follow', error))
    },
  }
}
