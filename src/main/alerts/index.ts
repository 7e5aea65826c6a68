import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import {
  type Alert,
  type AlertCause,
  type alertCalls,
  type alertEvents,
  AlertLimits,
} from '#shared/bridge/alert'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import {
  alertId,
  type AlertSource,
  alertsShown,
  Episode,
  type Findings,
  follow,
  type FoundAlert,
  isOf,
} from './episodes'
import { isSnoozed, snoozeEnd } from './snooze'

export type { AlertSource, FoundAlert } from './episodes'

export interface AlertsDeps {
  readonly documents: Sections
  readonly clock: Clock
  /** Shows the person alerts of one account that began just now, or whose snooze is over: at least one. */
  notify(account: AccountId, alerts: readonly Alert[]): void
  readonly report: ReportError
}

/** The private document `alerts`. */
const Kept = z.object({
  episodes: z.array(Episode).default([]),
  limits: z.record(z.string(), AlertLimits).default({}),
})

const changedLimits = (before: AlertLimits, next: AlertLimits): Partial<AlertLimits> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, limit]) => !isDeepStrictEqual(limit, Reflect.get(before, name))),
  )

/** Whether both are the same on disk but for amounts, and for their order: each source puts its own last. */
function lastEqually(some: readonly Episode[], others: readonly Episode[]): boolean {
  if (some.length !== others.length) return false
  const known = new Map(others.map((one) => [one.id, one]))
  return some.every(({ id, snoozedUntil, notified, dismissed }) => {
    const other = known.get(id)
    return (
      snoozedUntil === other?.snoozedUntil && notified === other.notified && dismissed === other.dismissed
    )
  })
}

/** Seconds between two looks at snoozes: timers stand still while the computer sleeps, the clock does not. */
const lookEvery = 30

/**
 * The alerts of all accounts, from every source: notified once per cause, listed while it holds, kept over a restart. A
 * source passes what it finds each time it checks; a cause that it does not find any more is over.
 */
export function createAlerts({ documents, clock, notify, report }: AlertsDeps) {
  const { now, after } = clock
  const section = documents.section('alerts', Kept)
  let episodes: readonly Episode[] = section.read().episodes
  const shown = new Map<AccountId, string>()
  const changes = createEmitter<EventPayload<'alerts.changed'>>()
  const limitChanges = createEmitter<AccountId>()
  let closed = false
  let written: Promise<unknown> = Promise.resolve()
  /** What each source found last: after a snooze only what still holds is notified. */
  const last = new Map<string, Findings>()
  let cancel = (): void => undefined

  const list = (account: AccountId): Alert[] => alertsShown(episodes, account)
  const limits = (account: AccountId): AlertLimits => section.read().limits[account] ?? AlertLimits.parse({})

  type Update = (episodes: readonly Episode[]) => readonly Episode[]

  /** Changes the episodes. On disk they are as they began: amounts change all the time. */
  function take(update: Update, account: AccountId, next = update(episodes)): Promise<void> {
    const changed = !lastEqually(next, episodes)
    episodes = next
    const alerts = list(account)
    const text = JSON.stringify(alerts)
    if (shown.get(account) !== text) {
      shown.set(account, text)
      changes.emit({ account, alerts })
    }
    awaitSnoozes()
    if (!changed) return Promise.resolve()
    return write((kept) => ({ ...kept, episodes: [...update(kept.episodes)] }))
  }

  async function write(change: (kept: z.infer<typeof Kept>) => z.infer<typeof Kept>): Promise<void> {
    const writing = section.change(change)
    written = writing.catch(() => undefined)
    await writing
  }

  function check(account: AccountId, source: AlertSource, found: readonly FoundAlert[]): void {
    // What is kept is known first: else every cause would begin anew.
    if (closed || !section.isReady()) return
    const findings: Findings = { account, source, found }
    last.set(resourceKey(account, source), findings)
    // As most checks of money end: all episodes need not be gone through.
    if (found.length === 0 && !episodes.some((one) => one.account === account && isOf(source, one))) return
    const at = now()
    const next = follow(episodes, findings, at)
    const { due } = next
    take((before) => follow(before, findings, at).episodes, account, next.episodes).catch((error: unknown) =>
      report('alerts.keep', error),
    )
    const ids = new Set(due.map(({ id }) => id))
    if (ids.size > 0)
      notify(
        account,
        list(account).filter(({ id }) => ids.has(id)),
      )
  }

  function awaitSnoozes(): void {
    cancel()
    cancel = () => undefined
    if (closed) return
    const ends = episodes.flatMap(({ snoozedUntil }) => (snoozedUntil === null ? [] : [snoozedUntil]))
    if (ends.length === 0) return
    const wait = Math.min(...ends) - now()
    cancel = after(wait > 0 ? Math.min(wait, lookEvery) : lookEvery, () => {
      const over = episodes.filter(
        ({ snoozedUntil }) => snoozedUntil !== null && !isSnoozed(snoozedUntil, now()),
      )
      const accounts = new Set(over.map(({ account }) => account))
      for (const { account, source, found } of Array.from(last.values()))
        if (accounts.has(account)) check(account, source, found)
      awaitSnoozes()
    })
  }

  async function change(account: AccountId, id: string, update: Partial<Episode>): Promise<void> {
    if (!episodes.some((one) => one.account === account && one.id === id && !one.dismissed))
      throw new FailureError({ kind: 'invalid-input', field: 'alert', reason: 'unknown' })
    await take((all) => all.map((one) => (one.id === id ? { ...one, ...update } : one)), account)
  }

  /** What was kept came in: with it, every source looks again. */
  function lookAgain(): void {
    if (closed) return
    const kept = section.read()
    episodes = kept.episodes
    last.clear()
    awaitSnoozes()
    const accounts = new Set([...Object.keys(kept.limits), ...episodes.map(({ account }) => account)])
    for (const account of accounts) {
      const alerts = list(account)
      shown.set(account, JSON.stringify(alerts))
      changes.emit({ account, alerts })
      limitChanges.emit(account)
    }
  }
  section.onLoad(lookAgain)

  const handlers: HandlersOf<typeof alertCalls> = {
    'alerts.list': ({ account }) => list(account),
    'alerts.snooze': ({ account, alert, length }) =>
      change(account, alert, { snoozedUntil: length === null ? null : snoozeEnd(length, now()) }),
    'alerts.dismiss': ({ account, alert }) => change(account, alert, { dismissed: true, snoozedUntil: null }),
    'alerts.limits': async ({ account }) => {
      await section.ready()
      return limits(account)
    },
    'alerts.setLimits': async ({ account, limits: next }) => {
      // Limits of an earlier run may not be read yet: only what was changed is written.
      const changed = changedLimits(limits(account), next)
      const writing = write((kept) => ({
        ...kept,
        limits: { ...kept.limits, [account]: AlertLimits.parse({ ...kept.limits[account], ...changed }) },
      }))
      limitChanges.emit(account)
      await writing
      return limits(account)
    },
  }

  const events: EventsOf<typeof alertEvents> = { 'alerts.changed': changes.on }
  awaitSnoozes()

  return defineModule({
    handlers,
    events,
    list,
    limits,
    /** Whether the user set a limit that this application watches. */
    hasLimits: (): boolean =>
      Object.values(section.read().limits).some(
        ({ budget, perHour, runningHours }) => (budget ?? perHour ?? runningHours) !== null,
      ),
    /**
     * Takes what a source finds of an account now. Called each time that the source could check: a cause that is not
     * among `found` is over.
     */
    check,
    stands: (account: AccountId, cause: AlertCause): boolean =>
      episodes.some(({ id }) => id === alertId(account, cause)),
    onLimits: limitChanges.on,
    async forgetAccount(account: AccountId): Promise<void> {
      for (const key of last.keys()) if (isKeyOf(account, key)) last.delete(key)
      await take((all) => all.filter((one) => one.account !== account), account)
      await write((kept) => ({
        ...kept,
        limits: Object.fromEntries(Object.entries(kept.limits).filter(([id]) => id !== account)),
      }))
    },
    async close(): Promise<void> {
      closed = true
      cancel()
      await written
    },
  })
}
export type Alerts = ReturnType<typeof createAlerts>
