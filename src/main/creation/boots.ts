import type { AccountId } from '#shared/bridge/account'
import type { CreationState, Wish, WishKind } from '#shared/bridge/creation'
import type { JobLog } from '#shared/bridge/job'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import type { Elapsed } from '../core/elapsed'
import { type BootEnd, type BootWatch, bootWatch } from './boot-watch'
import type { CreationDeps } from './deps'
import type { Milestone, OpenDurations } from './durations'
import type { Entry, EntryBook } from './entries'

export interface BootsDeps extends Pick<
  CreationDeps,
  'consents' | 'sshMachines' | 'machine' | 'isSshOrdered' | 'clock' | 'report'
> {
  readonly entries: EntryBook
  readonly durations: OpenDurations
  readonly elapsedSince: Elapsed
  /** A creation has reached its end. */
  settled(id: string): void
  /** A fact outside the entry has changed. */
  changed(account: AccountId): void
}

type Located = Extract<CreationState, { readonly machine: string }>

/** Returns the state if it names the machine. */
export const locatedState = ({ state }: Entry): Located | null => ('machine' in state ? state : null)

/** Reasons for which no server was asked. */
const unasked: readonly SshStop['kind'][] = ['no-address', 'no-user', 'user-refused', 'too-many']
const isRefusedByServer = (end: BootEnd): boolean =>
  end.kind === 'running' && end.stop !== null && !unasked.includes(end.stop.kind)

type Wishes = Pick<Entry, WishKind>
const isWished = ({ connect, services }: Wishes): boolean => connect === 'waiting' || services === 'waiting'
/** Returns the next state of a wish: `next` if it waits. */
const after = (wish: Wish, next: Wish): Wish => (wish === 'waiting' ? next : wish)
/** Whether the machine can't fulfil a wish any more. */
const isLost = ({ kind }: CreationState): boolean => kind === 'failed' || kind === 'gone'
const lost = (wish: Wish): Wish => (wish === 'none' ? 'none' : 'ended')

/** One watch for each machine whose SSH is awaited, and the states that follow from it. */
function createWatches(deps: BootsDeps) {
  const { consents, entries, durations, elapsedSince, report } = deps
  const watches = new Map<string, BootWatch>()
  /** Creations whose machine the user checks. */
  const checked = new Set<string>()
  /** Creations that were followed in this run without a pause since they were sent. */
  const timed = new Set<string>()

  const write = (written: Promise<void>): void =>
    void written.catch((error: unknown) => report('creation.follow', error))
  const setState = (entry: Entry, state: CreationState, wishes: Partial<Wishes> = {}): void =>
    write(entries.update(entry.account, entry.id, (known) => ({ ...known, state, ...wishes })))
  const isAllowed = ({ account }: Entry, machine: string): boolean =>
    consents.has(account, machine, 'startup')

  function record({ id, account, flavor, sentAt }: Entry, milestone: Milestone): void {
    if (timed.has(id)) write(durations.record(account, flavor, milestone, elapsedSince.of(id, sentAt)))
  }

  function stop(id: string): void {
    watches.get(id)?.close()
    watches.delete(id)
    checked.delete(id)
    timed.delete(id)
  }

  /** Ends a creation in a final state. `waiting`: the next state of a wish to connect that waits. */
  function settle(entry: Entry, state: CreationState, waiting: Wish = 'ended'): void {
    stop(entry.id)
    const { connect, services } = entries.get(entry.id) ?? entry
    setState(
      entry,
      state,
      isLost(state)
        ? { connect: lost(connect), services: lost(services) }
        : {
            connect: after(connect, waiting),
            services: after(services, state.kind === 'ready' ? 'due' : 'ended'),
          },
    )
    deps.settled(entry.id)
  }

  function watch(entry: Entry, { machine, found }: Located): void {
    const { id, account } = entry
    const current = (): Entry => entries.get(id) ?? entry
    const boot = bootWatch({
      account,
      machine,
      sshMachines: deps.sshMachines,
      view: () => deps.machine(account, machine),
      isAllowed: () => isAllowed(entry, machine),
      trustsFirstKey: () => consents.hasAll(account, 'startup') || deps.isSshOrdered(entry.request),
      isAsked: () => checked.has(id) || isWished(current()),
      changed: () => deps.changed(account),
      answered(isSetUpRead) {
        record(entry, 'answering')
        const { connect, state } = current()
        const next = isSetUpRead ? { kind: 'setting-up' as const, machine, found, hasBegun: false } : state
        setState(entry, next, { connect: after(connect, 'due') })
      },
      begun() {
        const { state } = current()
        if (state.kind === 'setting-up' && !state.hasBegun) setState(entry, { ...state, hasBegun: true })
      },
      // A terminal can ask for a password after the server refused our keys.
      ended(end: BootEnd) {
        // A set-up that failed may have ended early.
        if (end.kind === 'ready' && (end.setUp === 'done' || end.setUp === 'degraded')) record(entry, 'ready')
        settle(entry, { ...end, machine, found }, isRefusedByServer(end) ? 'due' : 'ended')
      },
      clock: deps.clock,
    })
    watches.set(id, boot)
    boot.settle()
  }

  /** Begins to wait for SSH, if the user allows it or waits for the machine. */
  function begin(entry: Entry, located: Located): void {
    const { id } = entry
    const { machine, found } = located
    if (!isAllowed(entry, machine) && !isWished(entry) && !checked.has(id))
      return settle(entry, { kind: 'running', machine, found, ssh: 'unchecked', stop: null })
    setState(entry, { kind: 'booting', machine, found })
    watch(entry, located)
  }

  function settleAll(account: AccountId): void {
    for (const entry of entries.of(account)) {
      const located = locatedState(entry)
      const boot = watches.get(entry.id)
      if (!boot || !located) continue
      const view = deps.machine(account, located.machine)
      if (view && sshDisabledReason(view) === 'gone') leave(entry, 'deleted')
      else boot.settle()
    }
  }

  /** Ends a creation whose machine was deleted or stopped: with a text if the user waits, otherwise without. */
  function leave(entry: Entry, why: 'deleted' | 'stopped'): void {
    const located = locatedState(entry)
    if (located && isWished(entry)) {
      settle(entry, { kind: 'gone', machine: located.machine, found: located.found, why })
    } else {
      stop(entry.id)
      write(entries.remove(entry.account, entry.id))
    }
  }

  return {
    settle,
    leave,
    stop,
    settleAll,
    setState,
    isAllowed,
    record,
    begin,
    find: (id: string): BootWatch | undefined => watches.get(id),
    /** Measures a creation from now on. */
    time: (id: string): void => void timed.add(id),
    /** Waits for SSH because the user asks for it. */
    check(entry: Entry, located: Located): void {
      checked.add(entry.id)
      begin(entry, located)
    },
    close(): void {
      for (const boot of watches.values()) boot.close()
      watches.clear()
    },
  }
}

/** Follows created machines from `running` until SSH answers, and until their set-up is over. */
export function createBoots(deps: BootsDeps) {
  const watches = createWatches(deps)
  const { settle, leave, stop, settleAll, time, close, begin, setState } = watches
  return {
    settle,
    leave,
    stop,
    settleAll,
    time,
    close,
    /** Reads the log of a set-up that runs. */
    log: (id: string): Promise<JobLog> => watches.find(id)?.log() ?? Promise.resolve({ kind: 'none' }),
    link: (id: string): SshLink | null => watches.find(id)?.link() ?? null,
    /** The service reports the machine as running. */
    arrived(entry: Entry): void {
      const located = locatedState(entry)
      if (!located) return
      watches.record(entry, 'running')
      begin(entry, located)
    },
    /** Continues the wait of an earlier run, whose terminal no longer opens if SSH answered in that run. */
    resume(entry: Entry): void {
      const located = locatedState(entry)
      if (!located) return
      if (entry.connect === 'due') setState(entry, entry.state, { connect: 'none' })
      if (entry.state.kind === 'booting' || watches.isAllowed(entry, located.machine)) begin(entry, located)
      else settle(entry, { ...located, kind: 'ready', setUp: 'not-allowed', detail: null, log: null })
    },
    /** Waits for SSH on a machine that runs. */
    check(entry: Entry): void {
      const located = locatedState(entry)
      if (located?.kind === 'running' && !watches.find(entry.id)) watches.check(entry, located)
    },
    /** Sets or cancels a wish. */
    wish(entry: Entry, wish: WishKind, isWanted: boolean): void {
      const { kind } = entry.state
      const located = locatedState(entry)
      if (isWanted && isLost(entry.state)) return
      const isDue = kind === 'ready' || (kind === 'setting-up' && wish === 'connect')
      const wanted = isDue ? 'due' : 'waiting'
      const wishes = { [wish]: isWanted ? wanted : 'none' }
      setState(entry, entry.state, wishes)
      const boot = watches.find(entry.id)
      if (boot) boot.settle()
      else if (located && kind === 'running' && isWanted) begin({ ...entry, ...wishes }, located)
    },
  }
}
export type Boots = ReturnType<typeof createBoots>
