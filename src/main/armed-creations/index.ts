import type { AccountId } from '#shared/bridge/account'
import {
  type ArmedCreation,
  type armedCreationCalls,
  type armedCreationEvents,
  type ArmedCreationView,
  type ArmedTerms,
  type Creation,
  type MachineDraft,
  maxArmedSeconds,
} from '#shared/bridge/creation'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import { earlierCreations } from '#shared/earlier-creations'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { FailureError, type InvalidReason } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { FlavorsRead } from '../catalog/index'
import { isOfferOf } from '../catalog/views'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import { withoutPrivateKey } from '../creation/drafts'
import type { Sections } from '../store/settings'
import { type ArmedBook, openArmedBook } from './book'
import { decide } from './decide'
import { priceText } from './notice'
import { createSends, type SendsDeps } from './sends'

export interface ArmedCreationsDeps extends SendsDeps {
  readonly documents: Sections
  readonly clock: Clock
  readonly onFlavors: Subscribe<FlavorsRead>
  /** Returns flavors with prices in the currency of the account. */
  priced(account: AccountId, flavors: readonly FlavorView[]): readonly FlavorView[]
  /** Reads the catalogs of these kinds regularly. */
  alsoRead(kindsOf: (account: AccountId) => readonly MachineKind[]): void
  creations(account: AccountId, names: readonly string[]): readonly Creation[]
  readonly drafts: {
    keep(account: AccountId, kind: MachineKind, draft: MachineDraft): Promise<void>
    setAside(account: AccountId, kind: MachineKind, draft: MachineDraft): Promise<void>
    settle(source: Pick<Creation, 'account' | 'kind' | 'request'>): Promise<void>
  }
}

/** Pause between two checks of the expiry. Timers stop while the computer sleeps, the clock does not. */
const checkSeconds = 30

const refuse = (field: string, reason: InvalidReason): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

const viewOf = ({ order, identityFile: _, draft: __, ...armed }: ArmedCreation): ArmedCreationView => ({
  ...armed,
  kind: order.kind,
  name: order.machine.name,
})

/** Arms, changes and drops creations for the user. `look`: reads the catalog now. */
function createArming(
  deps: ArmedCreationsDeps,
  book: ArmedBook,
  look: (account: AccountId, kind: MachineKind) => void,
) {
  const { clock, drafts, report } = deps
  function checkTerms({ cap, expiresAt }: ArmedTerms): void {
    const now = clock.now()
    if (cap.millionths <= 0) throw refuse('cap', 'out-of-range')
    if (expiresAt <= now || expiresAt > now + maxArmedSeconds) throw refuse('expiresAt', 'out-of-range')
  }
  /** Returns a creation that the user may still change. */
  function changeable(account: AccountId, id: string): ArmedCreation {
    const armed = book.find(id)
    if (armed?.account !== account) throw refuse('armed', 'unknown')
    if (armed.state.kind === 'sending') throw refuse('armed', 'not-ready')
    return armed
  }

  async function arm({
    account,
    order,
    identityFile,
    draft,
    region,
    cap,
    expiresAt,
  }: CallInput<'armedCreations.arm'>): Promise<ArmedCreationView> {
    const { kind, machine } = order
    const { request } = draft
    checkTerms({ cap, expiresAt })
    const { items } = await deps.flavors({ account, kind })
    const listed = items.find(isOfferOf({ flavor: machine.flavor_id, region }))
    if (!listed) throw refuse('flavor', 'unknown')
    // A second press of the button replaces the order and the terms of the first.
    if (book.find(request)?.state.kind === 'sending') throw refuse('armed', 'not-ready')
    const wanted = { kind, name: machine.name, request }
    if (earlierCreations(deps.creations(account, [machine.name]), wanted).length > 0)
      throw refuse('name', 'outcome-open')
    const armed: ArmedCreation = {
      id: request,
      account,
      order,
      identityFile,
      draft: withoutPrivateKey(draft),
      flavorName: listed.name,
      region: listed.region,
      cap,
      expiresAt,
      armedAt: Math.floor(clock.now()),
      state: { kind: 'waiting', delay: null },
    }
    await book.change((each) => [...each.filter(({ id }) => id !== request), armed])
    // The creation is armed although the form may show its draft again.
    await drafts
      .settle({ account, kind, request })
      .catch((error: unknown) => report('armedCreations.save', error))
    look(account, kind)
    return viewOf(armed)
  }

  return {
    arm,
    async change({ account, armed: id, cap, expiresAt }: CallInput<'armedCreations.change'>): Promise<void> {
      const { state, order } = changeable(account, id)
      if (state.kind === 'ended' && state.why === 'unknown') throw refuse('armed', 'not-ready')
      checkTerms({ cap, expiresAt })
      await book.update(id, { cap, expiresAt, state: { kind: 'waiting', delay: null } })
      look(account, order.kind)
    },
    async cancel({ account, armed: id, keepsDraft }: CallInput<'armedCreations.cancel'>): Promise<void> {
      const { draft, order } = changeable(account, id)
      // Stored first: the wait holds the only copy of the input.
      if (keepsDraft) await drafts.keep(account, order.kind, draft)
      else await drafts.setAside(account, order.kind, draft)
      changeable(account, id)
      await book.drop(id)
    },
  }
}

/** Creates machines when their flavors are back in stock. Each is sent once, at most at its cap and before its expiry. */
export function createArmedCreations(deps: ArmedCreationsDeps) {
  const { clock, report } = deps
  const book = openArmedBook(deps.documents)
  const changes = createEmitter<EventPayload<'armedCreations.changed'>>()
  let isClosed = false
  let cancelTimer: (() => void) | null = null
  const sends = createSends(deps, book, () => isClosed)
  const arming = createArming(deps, book, look)

  const list = (account: AccountId): ArmedCreationView[] =>
    book
      .all()
      .filter((armed) => armed.account === account)
      .map(viewOf)

  async function step(armed: ArmedCreation, offers: readonly FlavorView[] | null): Promise<void> {
    if (sends.isRunning(armed.id)) {
      const waiting: ArmedCreation = { ...armed, state: { kind: 'waiting', delay: null } }
      if (offers && decide(waiting, offers, clock.now()).kind !== 'send') sends.outdate(armed.id)
      return
    }
    // The previous run ended while it sent the request.
    if (armed.state.kind === 'sending') return sends.finish(armed, 'unknown')
    // After a power cut, the entry of the creation may be stored although the state of the wait is older.
    const { account, order, state } = armed
    const isSent = deps.creations(account, [order.machine.name]).some(({ request }) => request === armed.id)
    if (state.kind === 'waiting' && isSent) return sends.finish(armed, 'unknown')
    const next = decide(armed, offers, clock.now())
    switch (next.kind) {
      case 'none':
        return
      case 'send':
        return sends.send(armed)
      case 'expire':
        return sends.finish(armed, 'expired')
      case 'become': {
        const { delay } = next.state.kind === 'waiting' ? next.state : { delay: null }
        await book.setState(armed.id, next.state)
        if (delay) sends.notify(armed, priceText(armed, delay, translate))
      }
    }
  }
  function stepAll(all: readonly ArmedCreation[], offers: readonly FlavorView[] | null): void {
    if (isClosed) return
    for (const armed of all)
      step(armed, offers).catch((error: unknown) => report('armedCreations.save', error))
  }
  /** Checks the expiry of all creations, as long as one waits. */
  function check(): void {
    cancelTimer?.()
    cancelTimer = null
    stepAll(book.all(), null)
    schedule()
  }
  function schedule(): void {
    if (isClosed || cancelTimer || book.all().every(({ state }) => state.kind === 'ended')) return
    cancelTimer = clock.after(checkSeconds, check)
  }
  /** Reads the catalog now. A failure changes nothing: the catalog is read again regularly. */
  function look(account: AccountId, kind: MachineKind): void {
    deps.flavors({ account, kind, fresh: true }).catch(() => undefined)
  }

  /** Whether a reading covers the flavor of a creation. A reading of one region covers no other region. */
  const isOfQuery =
    ({ query: { account, kind, region } }: FlavorsRead) =>
    (armed: ArmedCreation): boolean =>
      armed.account === account &&
      armed.order.kind === kind &&
      (region === undefined || [armed.region.id, armed.region.name].includes(region))
  const unsubscribe = [
    book.onChange((account) => {
      changes.emit({ account, armed: list(account) })
      schedule()
    }),
    book.onLoad(check),
    deps.onFlavors((read) =>
      stepAll(book.all().filter(isOfQuery(read)), deps.priced(read.query.account, read.flavors)),
    ),
  ]
  deps.alsoRead((account) =>
    book
      .all()
      .filter((armed) => armed.account === account && armed.state.kind !== 'ended')
      .map(({ order }) => order.kind),
  )

  const handlers: HandlersOf<typeof armedCreationCalls> = {
    'armedCreations.list': async ({ account }) => {
      await book.ready()
      return list(account)
    },
    'armedCreations.arm': arming.arm,
    'armedCreations.change': arming.change,
    'armedCreations.cancel': arming.cancel,
  }
  const events: EventsOf<typeof armedCreationEvents> = { 'armedCreations.changed': changes.on }

  return defineModule({
    handlers,
    events,
    /** Whether a creation of this draft waits, or was not dismissed. */
    isArmed: (request: string): boolean => book.find(request) !== undefined,
    start: (): void => void book.ready().then(check),
    wakeChanged(awake: boolean): void {
      if (awake) check()
    },
    forgetAccount: (account: AccountId): Promise<void> =>
      book.change((each) => each.filter((armed) => armed.account !== account)),
    async close(): Promise<void> {
      isClosed = true
      unsubscribe.forEach((stop) => stop())
      cancelTimer?.()
      await sends.settled()
    },
  })
}
