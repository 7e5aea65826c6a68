import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { Creation, creationCalls, creationEvents } from '#shared/bridge/creation'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { earlierCreations } from '#shared/earlier-creations'
import { type Failure, FailureError } from '#shared/failure'
import type { CreatedMachine } from '#shared/service/machine'
import { pageSizes } from '#shared/page-sizes'
import { failureOf } from '../core/failure-of'
import { createElapsed } from '../core/elapsed'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { createKeyedMutex } from '../core/mutex'
import { changedNothing } from '../core/at-most-once'
import { readAll } from '../core/read-all-pages'
import { createKeyedTimers, type KeyedTimers } from '../core/keyed-timers'
import { withKnownName } from '../store/name-hash'
import { openDrafts } from './drafts'
import { type Entry, type EntryBook, openEntries, viewOf } from './entries'
import { createFollowing } from './follow'
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
}

interface CreationParts {
  readonly deps: Pick<CreationDeps, 'accounts' | 'fleet' | 'clock' | 'report'>
  readonly entries: EntryBook
  readonly timers: KeyedTimers
  readonly following: ReturnType<typeof createFollowing>
  readonly elapsedSince: ReturnType<typeof createElapsed>
  /** Runs one request or comparison at a time per account, so that a machine matches only one creation. */
  readonly exclusively: ReturnType<typeof createKeyedMutex<AccountId>>
  /** Waits for a write and reports its failure. The change is in memory anyway. */
  stored(written: Promise<void>): Promise<void>
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
  { deps, entries, timers, following, elapsedSince, exclusively, stored }: CreationParts,
  search: ReturnType<typeof createSearch>,
  queued: Map<string, Creation>,
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
    accepted: Creation,
    identityFile: string | null,
    post: () => Promise<CreatedMachine>,
  ): Promise<Creation> {
    const { id, account, kind } = accepted
    // Reading first also signs in again if necessary, and nothing was sent if it fails.
    const baseline = kind === 'machine' ? await readBaseline(account) : { before: [], isBaselineWhole: false }
    const entry: Entry = { ...accepted, ...baseline, sentAt: now(), identityFile }
    queued.delete(id)
    elapsedSince.begin(id)
    try {
      await entries.add(entry)
    } catch (error) {
      // Nothing was sent, so the entry in memory must not wait forever.
      await entries.remove(account, id).catch(() => undefined)
      throw error
    }
    try {
      const { id: machine } = await post()
      following.begin(entry, machine, false)
    } catch (error) {
      if (changedNothing(error)) {
        await stored(entries.remove(account, id))
        throw error
      }
      await unanswered(entry, failureOf(error, 'creation.send'))
    }
    const present = entries.get(id)
    if (!present) throw refuse('account', 'unknown')
    return viewOf(present)
  }

  return {
    /** Resumes a creation of the previous run. A request that was being sent has an open outcome. */
    async resume(entry: Entry): Promise<void> {
      const { id, account, kind } = entry
      switch (entry.state.kind) {
        case 'running':
        case 'failed':
          await stored(entries.remove(account, id))
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
    send: (
      accepted: Creation,
      identityFile: string | null,
      post: () => Promise<CreatedMachine>,
    ): Promise<Creation> => exclusively(accepted.account, () => send(accepted, identityFile, post)),
  }
}

/**
 * Creates machines and bare metal instances. Each is sent once and followed until it runs. If no answer comes, current
 * machines are compared with the earlier ones. Nothing is ever resent automatically.
 */
export function createCreation(deps: CreationDeps) {
  const { accounts, fleet, clock, report } = deps
  const changes = createEmitter<EventPayload<'creation.changed'>>()
  /** Accepted creations that wait for earlier ones or for the list. Nothing was sent yet. */
  const queued = new Map<string, Creation>()
  const entries = openEntries(deps.documents, emitChange)
  /** Lists creations. `names`: candidates for names that are stored only as a hash. */
  const list = (account: AccountId, names: readonly string[] = []): Creation[] => [
    ...entries.of(account).map((entry) => viewOf(withKnownName(entry, names))),
    ...[...queued.values()].filter((creation) => creation.account === account),
  ]
  function emitChange(account: AccountId): void {
    changes.emit({ account, creations: list(account) })
  }
  const drafts = openDrafts(deps.documents)
  const timers = createKeyedTimers(clock.after, (error) => report('creation.follow', error))
  const following = createFollowing(deps, entries, drafts, timers)
  const parts: CreationParts = {
    deps,
    entries,
    timers,
    following,
    elapsedSince: createElapsed(clock),
    exclusively: createKeyedMutex<AccountId>(),
    stored: (written) => written.catch((error: unknown) => report('creation.keep', error)),
  }
  const search = createSearch(parts)
  const sending = createSending(parts, search, queued)

  /** Checks for earlier creations before it waits, so that a second press of Create finds the first. */
  async function create(wanted: Request, post: () => Promise<CreatedMachine>): Promise<Creation> {
    const { request, account, kind, name, again, flavor, identityFile } = wanted
    // A confirmation covers only the creations that the user saw: a second press finds the first one's creation.
    if (earlierCreations(list(account, [name]), wanted).some(({ id }) => !again.includes(id)))
      throw refuse('name', 'outcome-open')
    const accepted: Creation = {
      id: randomUUID(),
      request,
      account,
      kind,
      name,
      flavor,
      sentAt: clock.now(),
      cause: null,
      state: { kind: 'sending' },
    }
    queued.set(accepted.id, accepted)
    emitChange(account)
    try {
      return await sending.send(accepted, identityFile, post)
    } finally {
      if (queued.delete(accepted.id)) emitChange(account)
    }
  }

  const handlers: HandlersOf<typeof creationCalls> = {
    'machine.create': ({ machine, ...request }) =>
      create({ ...request, kind: 'machine', name: machine.name, flavor: machine.flavor_id }, () =>
        accounts.service(request.account).machines.create(machine),
      ),
    'bareMetal.create': ({ machine, ...request }) =>
      create({ ...request, kind: 'bare-metal', name: machine.name, flavor: machine.flavor_id }, () =>
        accounts.service(request.account).bareMetal.create(machine),
      ),
    'creation.list': ({ account, names }) => list(account, names),
    'creation.dismiss': async ({ account, creation }) => {
      const entry = entries.of(account).find(({ id }) => id === creation)
      // A request that is being sent ends within its time limit.
      if (!entry || entry.state.kind === 'sending') return
      timers.cancel(creation)
      parts.elapsedSince.forget(creation)
      await entries.remove(account, creation)
    },
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
    'creation.keys': () => listKeys(deps.keys),
    'creation.freeKeyName': () => freeKeyName(deps.keys),
    'creation.generateKey': ({ name, comment }) => generateKey(deps.keys, name, comment),
  }

  const unsubscribe = fleet.onChange(({ account, status }) => {
    const asOf = status.reading || status.failure ? null : status.asOf
    following.follow(account, asOf).catch((error: unknown) => report('creation.follow', error))
  })

  const events: EventsOf<typeof creationEvents> = { 'creation.changed': changes.on }

  return defineModule({
    handlers,
    events,
    list,
    onChange: changes.on,
    async start(): Promise<void> {
      for (const entry of entries.all()) await sending.resume(entry)
    },
    async forgetAccount(account: AccountId): Promise<void> {
      entries.of(account).forEach(({ id }) => timers.cancel(id))
      await entries.forgetAccount(account)
      await drafts.forgetAccount(account)
    },
    close(): void {
      unsubscribe()
      timers.close()
    },
  })
}
export type CreationModule = ReturnType<typeof createCreation>
