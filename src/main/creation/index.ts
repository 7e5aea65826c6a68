import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { Creation, creationCalls, creationEvents, MachineOrder } from '#shared/bridge/creation'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import { earlierCreations } from '#shared/earlier-creations'
import { type Failure, FailureError } from '#shared/failure'
import type { CreatedMachine } from '#shared/service/machine'
import { resourceKey } from '#shared/resource-key'
import { pageSizes } from '#shared/page-sizes'
import { failureOf } from '../core/failure-of'
import { createElapsed, type Elapsed } from '../core/elapsed'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { createKeyedMutex } from '../core/mutex'
import { changedNothing } from '../core/at-most-once'
import { readAll } from '../core/read-all-pages'
import { createKeyedTimers, type KeyedTimers } from '../core/keyed-timers'
import { withKnownName } from '../store/name-hash'
import { type Boots, createBoots } from './boots'
import { openDrafts } from './drafts'
import { type Milestone, type OpenDurations, openDurations } from './durations'
import { type Entry, type EntryBook, openEntries, viewOf } from './entries'
import { createFollowing, isFollowing } from './follow'
import type { CreationDeps } from './deps'
import { freeKeyName, generateKey, listKeys } from '../ssh/keys/generate-key'
import { findCreated, nextLook, nextTry, stateAfter } from './outcome'

const refuse = (field: string, reason: 'outcome-open' | 'unknown'): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

export const isPending = (creations: readonly Creation[]): boolean =>
  creations.some(({ state }) => state.kind === 'sending' || state.kind === 'looking')

/** Whether a list may still show the machine. */
const isLookedFor = ({ kind, state }: Entry): boolean =>
  state.kind === 'looking' || state.kind === 'absent' || (state.kind === 'unknown' && kind === 'machine')

interface Request {
  readonly request: string
  readonly account: AccountId
  readonly kind: MachineKind
  readonly name: string
  readonly again: readonly string[]
  readonly flavor: string
  readonly identityFile: string | null
  /** Empty: there is none; null: it is not stored, as bare metal has no templates. */
  readonly initScript: string | null
}

const requestOf = (
  kind: MachineKind,
  { name, flavor_id, init_script }: Pick<MachineOrder, 'name' | 'flavor_id' | 'init_script'>,
  order: Pick<Request, 'request' | 'account' | 'again' | 'identityFile'>,
): Request => ({
  ...order,
  kind,
  name,
  flavor: flavor_id,
  initScript: kind === 'machine' ? (init_script ?? '') : null,
})

/** A creation that was not sent yet. */
type Accepted = Omit<Creation, 'usualSeconds' | 'link'>

const acceptedOf = ({ request, account, kind, name, flavor }: Request, sentAt: number): Accepted => ({
  id: randomUUID(),
  request,
  account,
  kind,
  name,
  flavor,
  sentAt,
  cause: null,
  state: { kind: 'sending' },
  connect: 'none',
  services: 'none',
})

interface CreationParts {
  readonly deps: Pick<CreationDeps, 'accounts' | 'fleet' | 'clock' | 'initScripts' | 'report'>
  readonly entries: EntryBook
  readonly timers: KeyedTimers
  readonly following: ReturnType<typeof createFollowing>
  readonly boots: Boots
  readonly elapsedSince: Elapsed
  /** Runs one request or comparison at a time per account, so that a machine matches only one creation. */
  readonly exclusively: ReturnType<typeof createKeyedMutex<AccountId>>
  /** Waits for a write and reports its failure. The change is in memory anyway. */
  stored(written: Promise<void>): Promise<void>
  view(entry: Entry): Creation
}

const readMachines = ({ accounts }: Pick<CreationDeps, 'accounts'>, account: AccountId) =>
  readAll(accounts.service(account).machines.list, pageSizes.resources)

function createSearch({
  deps,
  entries,
  timers,
  following,
  elapsedSince,
  exclusively,
  stored,
}: CreationParts) {
  const schedule = (account: AccountId, id: string, seconds: number): void =>
    timers.set(id, seconds, () => exclusively(account, () => look(id)))

  /** Compares current machines with the earlier ones. Never fails: the result is in the entry. */
  async function look(id: string): Promise<void> {
    const entry = entries.get(id)
    if (!entry || !isLookedFor(entry)) return
    const { account, sentAt, before, isBaselineWhole, state } = entry
    const elapsed = elapsedSince.of(id, sentAt)
    try {
      const { items: machines, unreadable, complete } = await readMachines(deps, account)
      if (timers.isClosed()) return
      const named = withKnownName(
        entry,
        machines.map(({ name }) => name),
      )
      const sent = { name: named.name, sentAt, before: new Set(before), isBaselineWhole }
      const finding = findCreated(sent, machines)
      if (finding.kind === 'created') return following.begin(named, finding.machine, true)
      const isWhole = complete && unreadable.every(({ id }) => id !== null && before.includes(id))
      const next = stateAfter(finding, elapsed, isWhole)
      await stored(entries.update(account, id, (known) => ({ ...known, state: next })))
      const pause = next.kind === 'unclear' ? null : nextLook(elapsed)
      if (pause !== null) schedule(account, id, pause)
    } catch (error) {
      if (timers.isClosed()) return
      const failure = failureOf(error, 'creation.compare')
      if (state.kind === 'looking' && !isDeepStrictEqual(state.failure, failure))
        await stored(
          entries.update(account, id, (known) => ({ ...known, state: { kind: 'looking', failure } })),
        )
      schedule(account, id, nextTry(elapsed))
    }
  }
  return { start: (account: AccountId, id: string): void => schedule(account, id, 0) }
}

/** Sends creations, each once, and marks those without an answer as open. */
function createSending(
  { deps, entries, timers, following, boots, elapsedSince, exclusively, stored, view }: CreationParts,
  search: ReturnType<typeof createSearch>,
  queued: Map<string, Accepted>,
) {
  const { now } = deps.clock

  const readBaseline = async (account: AccountId): Promise<Pick<Entry, 'before' | 'isBaselineWhole'>> => {
    const { items, unreadable, complete } = await readMachines(deps, account)
    const listed = [...items, ...unreadable].flatMap(({ id }) => id ?? [])
    return {
      before: [...new Set([...listed, ...deps.fleet.known(account)])],
      isBaselineWhole: complete && unreadable.every(({ id }) => id !== null),
    }
  }

  /** Marks the outcome as open and looks for the machine. Never fails. */
  async function unanswered({ account, id, kind }: Entry, cause: Failure | null): Promise<void> {
    if (kind === 'machine') search.start(account, id)
    await stored(
      entries.update(account, id, (known) => ({
        ...known,
        cause,
        state: kind === 'machine' ? { kind: 'looking', failure: null } : { kind: 'unknown' },
      })),
    )
  }

  async function send(
    accepted: Accepted,
    { identityFile, initScript }: Request,
    post: () => Promise<CreatedMachine>,
  ): Promise<Creation> {
    const { id, account, kind } = accepted
    // Reading first also signs in again if necessary, and nothing was sent if it fails.
    const baseline = kind === 'machine' ? await readBaseline(account) : { before: [], isBaselineWhole: false }
    const { connect, services } = queued.get(id) ?? accepted
    const entry: Entry = { ...accepted, ...baseline, connect, services, sentAt: now(), identityFile }
    queued.delete(id)
    elapsedSince.begin(id)
    boots.time(id)
    try {
      await entries.add(entry)
    } catch (error) {
      // Nothing was sent, so the entry in memory must not wait forever.
      await entries.remove(account, id).catch(() => undefined)
      throw error
    }
    if (initScript !== null) await stored(deps.initScripts.add(account, id, initScript))
    try {
      const { id: machine } = await post()
      following.begin(entry, machine, false)
    } catch (error) {
      if (changedNothing(error)) {
        await stored(entries.remove(account, id))
        await stored(deps.initScripts.dropOpen(id))
        throw error
      }
      await unanswered(entry, failureOf(error, 'creation.send'))
    }
    const present = entries.get(id)
    if (!present) throw refuse('account', 'unknown')
    return view(present)
  }

  return {
    /** Resumes a creation of the previous run. A request that was being sent has an open outcome. */
    async resume(entry: Entry): Promise<void> {
      const { id, account, kind } = entry
      switch (entry.state.kind) {
        case 'running':
        case 'ready':
        case 'gone':
          await stored(entries.remove(account, id))
          break
        case 'booting':
        case 'setting-up':
          boots.resume(entry)
          break
        case 'failed':
          break
        case 'sending':
          await unanswered(entry, null)
          break
        case 'looking':
        case 'absent':
        case 'unknown':
          if (isLookedFor(entry)) search.start(account, id)
          break
        case 'created':
          if (kind === 'bare-metal') timers.set(id, 0, () => following.followBareMetal(id))
          break
        case 'unclear':
          break
      }
    },
    send: (accepted: Accepted, wanted: Request, post: () => Promise<CreatedMachine>): Promise<Creation> =>
      exclusively(accepted.account, () => send(accepted, wanted, post)),
  }
}

/**
 * Returns the usual seconds until the end of the wait; null if unknown. The end is the last of these that is awaited and
 * known: the set-up is over, SSH answers, the machine runs.
 */
function usualSecondsOf(
  { account, flavor, connect, state }: Entry,
  durations: OpenDurations,
  consents: CreationDeps['consents'],
): number | null {
  const usual = (milestone: Milestone): number | null => durations.usual(account, flavor, milestone)
  if (state.kind === 'setting-up') return usual('ready')
  if (state.kind !== 'created' && state.kind !== 'booting') return null
  const isSetUpAwaited = consents.has(account, state.machine, 'startup')
  const isSshAwaited = isSetUpAwaited || connect === 'waiting' || state.kind === 'booting'
  return (
    (isSetUpAwaited ? usual('ready') : null) ??
    (isSshAwaited ? usual('answering') : null) ??
    (state.kind === 'created' ? usual('running') : null)
  )
}

/** Calls about the wait for SSH. */
function createBootHandlers({
  entryOf,
  queued,
  shown,
  boots,
  emitChange,
  notify,
}: Pick<ReturnType<typeof createBook>, 'entryOf' | 'queued' | 'shown' | 'boots' | 'emitChange' | 'notify'>) {
  const handlers: Pick<
    HandlersOf<typeof creationCalls>,
    'creation.wish' | 'creation.takeWish' | 'creation.check' | 'creation.log' | 'creation.shown'
  > = {
    'creation.wish': ({ account, creation, wish, isWanted }) => {
      const entry = entryOf(account, creation)
      const waiting = queued.get(creation)
      if (entry) return boots.wish(entry, wish, isWanted)
      if (waiting?.account !== account) return
      queued.set(creation, { ...waiting, [wish]: isWanted ? 'waiting' : 'none' })
      emitChange(account)
    },
    'creation.takeWish': ({ account, creation, wish, isFocused }) => {
      const entry = entryOf(account, creation)
      if (entry?.[wish] !== 'due') return false
      if (!isFocused) notify(entry)
      boots.wish(entry, wish, false)
      return true
    },
    'creation.check': ({ account, creation }) => {
      const entry = entryOf(account, creation)
      if (entry?.state.kind === 'running') boots.check(entry)
    },
    'creation.log': ({ account, creation }) => {
      const entry = entryOf(account, creation)
      return entry ? boots.log(entry.id) : { kind: 'none' }
    },
    'creation.shown': ({ account, kind, isShown }) => {
      if (isShown) shown.add(resourceKey(account, kind))
      else shown.delete(resourceKey(account, kind))
    },
  }
  return handlers
}

function createDraftHandlers(
  drafts: ReturnType<typeof openDrafts>,
  accounts: Pick<CreationDeps['accounts'], 'view'>,
) {
  const handlers: Pick<
    HandlersOf<typeof creationCalls>,
    'creation.draft' | 'creation.replacedDraft' | 'creation.keepDraft'
  > = {
    'creation.draft': async ({ account, kind }) => {
      await drafts.ready()
      return drafts.read(account, kind)
    },
    'creation.replacedDraft': async ({ account, kind }) => {
      await drafts.ready()
      return drafts.lastReplaced(account, kind)
    },
    'creation.keepDraft': async ({ account, kind, draft }) => {
      // A form also saves its draft when it closes because its account was forgotten.
      if (accounts.view().accounts.some(({ id }) => id === account)) await drafts.keep(account, kind, draft)
    },
  }
  return handlers
}

/** The creations in memory and on disk, and the waits for their machines. */
function createBook(deps: CreationDeps) {
  const changes = createEmitter<EventPayload<'creation.changed'>>()
  /** Accepted creations that wait for earlier ones or for the list. Nothing was sent yet. */
  const queued = new Map<string, Accepted>()
  const entries = openEntries(deps.documents, emitChange)
  const durations = openDurations(deps.documents)
  const elapsedSince = createElapsed(deps.clock)
  /** Lists of creations on screen, which need no notification. */
  const shown = new Set<string>()
  let isWindowOpen = false
  const notify = (entry: Entry): void => deps.settled(view(entry))
  const boots = createBoots({
    ...deps,
    entries,
    durations,
    elapsedSince,
    changed: emitChange,
    settled(id) {
      const entry = entries.get(id)
      if (!entry || shown.has(resourceKey(entry.account, entry.kind))) return
      // The window fulfils the wish.
      if ((entry.connect === 'due' || entry.services === 'due') && isWindowOpen) return
      notify(entry)
    },
  })
  function view(entry: Entry): Creation {
    const usualSeconds = usualSecondsOf(entry, durations, deps.consents)
    return viewOf(entry, { usualSeconds, link: boots.link(entry.id) })
  }
  /** Lists creations. `names`: candidates for names that are stored only as a hash. */
  const list = (account: AccountId, names: readonly string[] = []): Creation[] => [
    ...entries.of(account).map((entry) => view(withKnownName(entry, names))),
    ...[...queued.values()]
      .filter((creation) => creation.account === account)
      .map((creation) => ({ ...creation, usualSeconds: null, link: null })),
  ]
  function emitChange(account: AccountId): void {
    changes.emit({ account, creations: list(account) })
  }
  return {
    entries,
    queued,
    durations,
    elapsedSince,
    shown,
    boots,
    view,
    list,
    notify,
    emitChange,
    onChange: changes.on,
    entryOf: (account: AccountId, id: string): Entry | undefined =>
      entries.of(account).find((entry) => entry.id === id),
    windowChanged(open: boolean): void {
      isWindowOpen = open
      shown.clear()
    },
  }
}

/**
 * Creates machines and bare metal instances. Each is sent once and followed until it runs and SSH answers. If no answer
 * comes, current machines are compared with the earlier ones. Nothing is ever resent automatically.
 */
export function createCreation(deps: CreationDeps) {
  const { accounts, fleet, clock, report } = deps
  const book = createBook(deps)
  const { entries, queued, boots, elapsedSince, list, emitChange, entryOf } = book
  const drafts = openDrafts(deps.documents)
  const timers = createKeyedTimers(clock.after, (error) => report('creation.follow', error))
  const following = createFollowing(deps, entries, drafts, timers, boots)
  const isFollowed = (account: AccountId, machine: string): boolean =>
    entries.of(account).some((entry) => isFollowing(entry, machine))
  const parts: CreationParts = {
    deps,
    entries,
    timers,
    following,
    boots,
    elapsedSince,
    view: book.view,
    exclusively: createKeyedMutex<AccountId>(),
    stored: (written) => written.catch((error: unknown) => report('creation.keep', error)),
  }
  const sending = createSending(parts, createSearch(parts), queued)

  /** Checks for earlier creations before it waits, so that a second press of Create finds the first. */
  async function create(wanted: Request, post: () => Promise<CreatedMachine>): Promise<Creation> {
    const { account, name, again } = wanted
    // A confirmation covers only the creations that the user saw: a second press finds the first one's creation.
    if (earlierCreations(list(account, [name]), wanted).some(({ id }) => !again.includes(id)))
      throw refuse('name', 'outcome-open')
    const accepted = acceptedOf(wanted, clock.now())
    queued.set(accepted.id, accepted)
    emitChange(account)
    try {
      return await sending.send(accepted, wanted, post)
    } finally {
      if (queued.delete(accepted.id)) emitChange(account)
    }
  }

  const createMachine = (
    { machine, ...request }: CallInput<'machine.create'>,
    beforeSending?: () => void,
    signal?: AbortSignal,
  ): Promise<Creation> =>
    create(requestOf('machine', machine, request), async () => {
      beforeSending?.()
      return accounts.service(request.account).machines.create(machine, signal)
    })
  const createBareMetal = (
    { machine, ...request }: CallInput<'bareMetal.create'>,
    beforeSending?: () => void,
    signal?: AbortSignal,
  ): Promise<Creation> =>
    create(requestOf('bare-metal', machine, request), async () => {
      beforeSending?.()
      return accounts.service(request.account).bareMetal.create(machine, signal)
    })

  const handlers: HandlersOf<typeof creationCalls> = {
    ...createBootHandlers(book),
    ...createDraftHandlers(drafts, accounts),
    'machine.create': (order) => createMachine(order),
    'bareMetal.create': (order) => createBareMetal(order),
    'creation.list': ({ account, names }) => list(account, names),
    'creation.dismiss': async ({ account, creation }) => {
      const entry = entryOf(account, creation)
      // A request that is being sent ends within its time limit.
      if (!entry || entry.state.kind === 'sending') return
      timers.cancel(creation)
      boots.stop(creation)
      elapsedSince.forget(creation)
      await entries.remove(account, creation)
      await deps.initScripts.dropOpen(creation)
    },
    'creation.keys': () => listKeys(deps.keys),
    'creation.freeKeyName': () => freeKeyName(deps.keys),
    'creation.generateKey': ({ name, comment }) => generateKey(deps.keys, name, comment),
  }

  const unsubscribe = [
    deps.initScripts.dropGone(isFollowed),
    fleet.onChange(({ account, status }) => {
      const asOf = status.reading || status.failure ? null : status.asOf
      following.follow(account, asOf).catch((error: unknown) => report('creation.follow', error))
      boots.settleAll(account)
    }),
    deps.onBareMetal(({ account }) => boots.settleAll(account)),
    deps.consents.onChange(({ account }) => {
      boots.settleAll(account)
      emitChange(account)
    }),
  ]

  const events: EventsOf<typeof creationEvents> = { 'creation.changed': book.onChange }

  return defineModule({
    handlers,
    events,
    list,
    /** Sends a creation, once. `beforeSending` runs last; if it throws, nothing is sent. `signal` makes the outcome unknown. */
    createMachine,
    /** As `createMachine`, for bare metal. */
    createBareMetal,
    drafts,
    onChange: book.onChange,
    isFollowed,
    windowChanged: book.windowChanged,
    async start(): Promise<void> {
      const known = entries.all()
      await parts.stored(deps.initScripts.keepOpen(known.map(({ id }) => id)))
      for (const entry of known) await sending.resume(entry)
    },
    async forgetAccount(account: AccountId): Promise<void> {
      for (const { id } of entries.of(account)) {
        timers.cancel(id)
        boots.stop(id)
      }
      await book.durations.forgetAccount(account)
      await entries.forgetAccount(account)
      await drafts.forgetAccount(account)
    },
    close(): void {
      for (const end of unsubscribe) end()
      timers.close()
      boots.close()
    },
  })
}
export type CreationModule = ReturnType<typeof createCreation>
