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
import { createKeyedTimers } from '../core/keyed-timers'
import { withKnownName } from '../store/name-hash'
import { openDrafts } from './drafts'
import { type Entry, openEntries, viewOf } from './entries'
import { createFollowing } from './follow'
import type { CreationDeps } from './deps'
import { freeKeyName, generateKey, listKeys } from '../ssh/keys/generate-key'
import { findCreated, nextLook, nextTry, stateAfter } from './outcome'

const refuse = (field: string, reason: 'outcome-open' | 'unknown'): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

/** Whether one of them is being sent, or was sent and its outcome is not known yet. */
export const isPending = (creations: readonly Creation[]): boolean =>
  creations.some(({ state }) => state.kind === 'sending' || state.kind === 'looking')

/** Whether a list may still show the machine. */
const isLookedFor = ({ kind, state }: Entry): boolean =>
  state.kind === 'looking' || state.kind === 'absent' || (state.kind === 'unknown' && kind === 'machine')

/**
 * Creates machines and bare metal instances: each is sent once, and followed until it runs. Where no answer comes,
 * the machines there are now are compared with those before; nothing is ever resent automatically.
 */
export function createCreation(deps: CreationDeps) {
  const { accounts, fleet, clock, report } = deps
  const { now } = clock
  const changes = createEmitter<EventPayload<'creation.changed'>>()
  /** Admitted, and waiting for those before it or for the list of what is there: nothing of it was sent yet. */
  const queued = new Map<string, Creation>()
  const entries = openEntries(deps.documents, emitChange)
  /** `names`: what a creation whose name is not known may be called. */
  const list = (account: AccountId, names: readonly string[] = []): Creation[] => [
    ...entries.of(account).map((entry) => viewOf(withKnownName(entry, names))),
    ...[...queued.values()].filter((one) => one.account === account),
  ]
  function emitChange(account: AccountId): void {
    changes.emit({ account, creations: list(account) })
  }
  const drafts = openDrafts(deps.documents)
  /** Since it was sent, by the id of the creation. */
  const elapsedSince = createElapsed(clock)
  const timers = createKeyedTimers(clock.after, (error) => report('creation.follow', error))
  const following = createFollowing(deps, entries, drafts, timers)
  /** One at a time per account, sending and comparing alike: else one creation's machine would be taken for another's. */
  const exclusively = createKeyedMutex<AccountId>()

  /** The change is in memory; a failed write is reported and stops nothing. */
  const kept = (written: Promise<void>): Promise<void> =>
    written.catch((error: unknown) => report('creation.keep', error))

  const readMachines = (account: AccountId) =>
    readAll(accounts.service(account).machines.list, pageSizes.resources)

  /** Compares what is there now with what was there before. Never fails: what it finds is in the entry. */
  async function look(id: string): Promise<void> {
    const entry = entries.get(id)
    if (!entry || !isLookedFor(entry)) return
    const { account, sentAt, before, isBaselineWhole, state } = entry
    const elapsed = elapsedSince.of(id, sentAt)
    try {
      const { items: machines, unreadable, complete } = await readMachines(account)
      if (timers.isClosed()) return
      const named = withKnownName(
        entry,
        machines.map(({ name }) => name),
      )
      const finding = findCreated(
        { name: named.name, sentAt, before: new Set(before), isBaselineWhole },
        machines,
      )
      if (finding.kind === 'created') return following.begin(named, finding.machine, true)
      const isWhole = complete && unreadable.every((one) => one.id !== null && before.includes(one.id))
      const next = stateAfter(finding, elapsed, isWhole)
      await kept(entries.update(account, id, (known) => ({ ...known, state: next })))
      const pause = next.kind === 'unclear' ? null : nextLook(elapsed)
      if (pause !== null) timers.set(id, pause, () => exclusively(account, () => look(id)))
    } catch (error) {
      if (timers.isClosed()) return
      const failure = failureOf(error, 'creation.compare')
      if (state.kind === 'looking' && !isDeepStrictEqual(state.failure, failure))
        await kept(
          entries.update(account, id, (known) => ({ ...known, state: { kind: 'looking', failure } })),
        )
      timers.set(id, nextTry(elapsed), () => exclusively(account, () => look(id)))
    }
  }

  /** Reads the ids of all machines, with those that only earlier readings have listed. */
  const baselineNow = async (account: AccountId): Promise<Pick<Entry, 'before' | 'isBaselineWhole'>> => {
    const { items, unreadable, complete } = await readMachines(account)
    const listed = [...items, ...unreadable].flatMap(({ id }) => id ?? [])
    return {
      before: [...new Set([...listed, ...fleet.known(account)])],
      isBaselineWhole: complete && unreadable.every(({ id }) => id !== null),
    }
  }

  /** The outcome is open from now on. Never fails. */
  async function unanswered({ account, id, kind }: Entry, cause: Failure | null): Promise<void> {
    if (kind === 'machine') timers.set(id, 0, () => exclusively(account, () => look(id)))
    await kept(
      entries.update(account, id, (known) => ({
        ...known,
        cause,
        state: kind === 'machine' ? { kind: 'looking', failure: null } : { kind: 'unknown' },
      })),
    )
  }

  interface Wish {
    readonly request: string
    readonly account: AccountId
    readonly kind: MachineKind
    readonly name: string
    readonly again: readonly string[]
    readonly flavor: string
    readonly identityFile: string | null
  }

  async function send(
    admitted: Creation,
    wish: Wish,
    post: () => Promise<CreatedMachine>,
  ): Promise<Creation> {
    const { id, account, kind } = admitted
    // Reading first also signs in again where that is needed: what fails here has sent nothing.
    const baseline = kind === 'machine' ? await baselineNow(account) : { before: [], isBaselineWhole: false }
    const entry: Entry = { ...admitted, ...baseline, sentAt: now(), identityFile: wish.identityFile }
    queued.delete(id)
    elapsedSince.begin(id)
    try {
      await entries.add(entry)
    } catch (error) {
      // Nothing was sent: what memory holds of it would wait for ever.
      await entries.remove(account, id).catch(() => undefined)
      throw error
    }
    try {
      const { id: machine } = await post()
      following.begin(entry, machine, false)
    } catch (error) {
      if (changedNothing(error)) {
        await kept(entries.remove(account, id))
        throw error
      }
      await unanswered(entry, failureOf(error, 'creation.send'))
    }
    const present = entries.get(id)
    if (!present) throw refuse('account', 'unknown')
    return viewOf(present)
  }

  /** Asks before it waits for others: a second press of Create finds the first, however slow the service is. */
  async function create(wish: Wish, post: () => Promise<CreatedMachine>): Promise<Creation> {
    const { request, account, kind, name, again, flavor } = wish
    // One yes is for what it was asked about: a second press of it finds what the first has sent.
    if (earlierCreations(list(account, [name]), wish).some(({ id }) => !again.includes(id)))
      throw refuse('name', 'outcome-open')
    const shared = { id: randomUUID(), request, account, kind, name, flavor, sentAt: now(), cause: null }
    const admitted: Creation = { ...shared, state: { kind: 'sending' } }
    queued.set(admitted.id, admitted)
    emitChange(account)
    try {
      return await exclusively(account, () => send(admitted, wish, post))
    } finally {
      if (queued.delete(admitted.id)) emitChange(account)
    }
  }

  const handlers: HandlersOf<typeof creationCalls> = {
    'machine.create': ({ machine, ...wish }) =>
      create({ ...wish, kind: 'machine', name: machine.name, flavor: machine.flavor_id }, () =>
        accounts.service(wish.account).machines.create(machine),
      ),
    'bareMetal.create': ({ machine, ...wish }) =>
      create({ ...wish, kind: 'bare-metal', name: machine.name, flavor: machine.flavor_id }, () =>
        accounts.service(wish.account).bareMetal.create(machine),
      ),
    'creation.list': ({ account, names }) => list(account, names),
    'creation.dismiss': async ({ account, creation }) => {
      const entry = entries.of(account).find(({ id }) => id === creation)
      // One that is being sent is answered, or given up, within the time limit of a request.
      if (!entry || entry.state.kind === 'sending') return
      timers.cancel(creation)
      elapsedSince.forget(creation)
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
      // A form saves what was typed also when it closes because its account was forgotten.
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
    /** Goes on after a start with what was under way: what was being sent has an open outcome. */
    async start(): Promise<void> {
      for (const entry of entries.all()) {
        const { id, account, kind } = entry
        switch (entry.state.kind) {
          case 'running':
          case 'failed':
            await kept(entries.remove(account, id))
            break
          case 'sending':
            await unanswered(entry, null)
            break
          case 'looking':
          case 'absent':
          case 'unknown':
            if (isLookedFor(entry)) timers.set(id, 0, () => exclusively(account, () => look(id)))
            break
          case 'created':
            if (kind === 'bare-metal') timers.set(id, 0, () => following.followBareMetal(id))
            break
          case 'unclear':
            break
        }
      }
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
