import type { AccountId } from '#shared/bridge/account'
import type { Creation } from '#shared/bridge/creation'
import { type MachineState, machineState } from '#shared/service/machine-state'
import { failureOf } from '../core/failure-of'
import { presenceAfter } from '../core/absences'
import type { KeyedTimers } from '../core/keyed-timers'
import type { openDrafts } from './drafts'
import { type Boots, locatedState } from './boots'
import type { Entry, EntryBook } from './entries'
import type { CreationDeps } from './deps'

/** Pause between two requests for a bare metal instance that is being created. */
const bareMetalIntervalSeconds = 15
/** Consecutive 404 answers that prove a machine is gone: a service may know a new machine only later. */
const minDenials = 2
/** States whose machine a reading of the fleet may change. */
const followedStates: readonly Creation['state']['kind'][] = ['created', 'booting', 'setting-up', 'failed']

/** Whether a creation follows the machine, which the service may list late. Pure. */
export const isFollowing = ({ state }: Entry, machine: string): boolean =>
  'machine' in state && state.machine === machine && followedStates.includes(state.kind)

export function createFollowing(
  deps: Pick<
    CreationDeps,
    'accounts' | 'fleet' | 'useIdentity' | 'bareMetalCreated' | 'initScripts' | 'report'
  >,
  entries: EntryBook,
  drafts: ReturnType<typeof openDrafts>,
  timers: KeyedTimers,
  boots: Boots,
) {
  const { accounts, fleet, report } = deps
  const denials = new Map<string, number>()
  /** Fleet reading (`asOf`) after which a machine's details were last read, by creation. */
  const lookedAfter = new Map<string, number>()

  async function setIdentity(entry: Entry, machine: string): Promise<void> {
    const { identityFile } = entry
    if (identityFile === null) return
    await entries.update(entry.account, entry.id, (known) => ({ ...known, identityFile: null }))
    await deps
      .useIdentity(entry.account, machine, identityFile)
      .catch((error: unknown) => report('creation.identity', error))
  }

  /** Ends a creation whose machine disappeared. */
  function end(entry: Entry): void {
    timers.cancel(entry.id)
    denials.delete(entry.id)
    lookedAfter.delete(entry.id)
    boots.leave(entry, 'deleted')
  }

  /** Applies the status of a created machine. Returns whether it is still being created. */
  function applyStatus(entry: Entry, status: string | null, state: MachineState): boolean {
    const located = locatedState(entry)
    if (!located) return false
    const { kind, machine, found } = located
    if (state === 'failed' && kind !== 'failed')
      boots.settle(entry, { kind: 'failed', machine, found, status })
    else if (state === 'running' && kind === 'created') boots.arrived(entry)
    // A failed machine that recovered.
    else if (state === 'running' && kind === 'failed') end(entry)
    else if (state === 'stopped' && (kind === 'booting' || kind === 'setting-up'))
      boots.leave(entry, 'stopped')
    return entries.get(entry.id)?.state.kind === 'created'
  }

  /** Handles an error in reading a created machine's details. Returns whether the creation is over. */
  function endIfGone(entry: Entry, error: unknown): boolean {
    const isDenied = presenceAfter(failureOf(error, 'creation.follow')) === 'absent'
    const count = isDenied ? (denials.get(entry.id) ?? 0) + 1 : 0
    denials.set(entry.id, count)
    if (count < minDenials) return false
    end(entry)
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
      if (!timers.isClosed()) endIfGone(entry, error)
    }
  }

  /** Follows created machines. `asOf`: time of the last fleet reading, if none is running. */
  async function follow(account: AccountId, asOf: number | null = null): Promise<void> {
    for (const entry of entries.of(account)) {
      const located = locatedState(entry)
      if (entry.kind !== 'machine' || !located || !followedStates.includes(located.kind)) continue
      const { machine } = located
      const known = fleet.view(account, machine)
      if (!known) {
        if (asOf !== null) await lookAtMissing(entry, machine, asOf)
        continue
      }
      denials.delete(entry.id)
      await setIdentity(entry, machine)
      applyStatus(entries.get(entry.id) ?? entry, known.status, machineState(known.status))
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
      if (!applyStatus(entry, status ?? null, state)) return
      denials.delete(id)
    } catch (error) {
      if (timers.isClosed() || endIfGone(entry, error)) return
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
        deps.initScripts.locate(id, machine),
        drafts.settle(entry),
      ]
      writes.push(kind === 'machine' ? meet(account, machine) : remember(account, id, machine, name))
      for (const write of writes) write.catch((error: unknown) => report('creation.follow', error))
    },
  }
}
