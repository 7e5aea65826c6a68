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
import type { Sections, SettingsSection } from '../store/settings'
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
  /** Notifies the user of an account's alerts that just began or whose snooze ended; at least one. */
  notify(account: AccountId, alerts: readonly Alert[]): void
  readonly report: ReportError
}

const AlertsDocument = z.object({
  episodes: z.array(Episode).default([]),
  limits: z.record(z.string(), AlertLimits).default({}),
})
type AlertsDocument = z.infer<typeof AlertsDocument>

const changedLimits = (before: AlertLimits, next: AlertLimits): Partial<AlertLimits> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, limit]) => !isDeepStrictEqual(limit, Reflect.get(before, name))),
  )

/** Whether both lists have the same stored facts. Amounts and the order change at each check. */
function haveSameFacts(before: readonly Episode[], next: readonly Episode[]): boolean {
  if (before.length !== next.length) return false
  const nextById = new Map(next.map((episode) => [episode.id, episode]))
  return before.every(({ id, snoozedUntil, notified, dismissed }) => {
    const episode = nextById.get(id)
    return (
      snoozedUntil === episode?.snoozedUntil &&
      notified === episode.notified &&
      dismissed === episode.dismissed
    )
  })
}

/** Longest wait for the end of a snooze: timers stop while the computer sleeps, the clock does not. */
const maxSnoozeWaitSeconds = 30

/** Waits for the ends of snoozes. `ended` receives the accounts whose snoozes are over. */
function createSnoozeTimer(
  { now, after }: Clock,
  episodes: () => readonly Episode[],
  ended: (accounts: ReadonlySet<AccountId>) => void,
) {
  let cancel = (): void => undefined
  function wait(): void {
    cancel()
    cancel = () => undefined
    const ends = episodes().flatMap(({ snoozedUntil }) => snoozedUntil ?? [])
    if (ends.length === 0) return
    const seconds = Math.min(...ends) - now()
    cancel = after(seconds > 0 ? Math.min(seconds, maxSnoozeWaitSeconds) : maxSnoozeWaitSeconds, () => {
      const over = episodes().filter(
        ({ snoozedUntil }) => snoozedUntil !== null && !isSnoozed(snoozedUntil, now()),
      )
      ended(new Set(over.map(({ account }) => account)))
      wait()
    })
  }
  return { /** Call after each change of the episodes. */ wait, cancel: (): void => cancel() }
}

function createLimits(
  section: SettingsSection<AlertsDocument>,
  write: (change: (stored: AlertsDocument) => AlertsDocument) => Promise<void>,
) {
  const changes = createEmitter<AccountId>()
  const of = (account: AccountId): AlertLimits => section.read().limits[account] ?? AlertLimits.parse({})
  return {
    of,
    changes,
    exist: (): boolean =>
      Object.values(section.read().limits).some(
        ({ budget, perHour, runningHours }) => (budget ?? perHour ?? runningHours) !== null,
      ),
    async set(account: AccountId, next: AlertLimits): Promise<AlertLimits> {
      // The stored limits may not be loaded yet, so only changed limits are written.
      const changed = changedLimits(of(account), next)
      const writing = write((stored) => ({
        ...stored,
        limits: {
          ...stored.limits,
          [account]: AlertLimits.parse({ ...stored.limits[account], ...changed }),
        },
      }))
      changes.emit(account)
      await writing
      return of(account)
    },
  }
}

/**
 * Manages the alerts of all accounts and sources. An alert is notified once per cause, listed while the cause holds, and
 * survives a restart. A source passes its findings at each check; a cause that is missing in them is over.
 */
export function createAlerts({ documents, clock, notify, report }: AlertsDeps) {
  const { now } = clock
  const section = documents.section('alerts', AlertsDocument)
  let episodes: readonly Episode[] = section.read().episodes
  const emitted = new Map<AccountId, string>()
  const changes = createEmitter<EventPayload<'alerts.changed'>>()
  let isClosed = false
  let written: Promise<unknown> = Promise.resolve()
  /** Last findings of each source: after a snooze only causes that still hold are notified. */
  const lastFindings = new Map<string, Findings>()
  const snoozes = createSnoozeTimer(
    clock,
    () => episodes,
    (accounts) => {
      for (const { account, source, found } of Array.from(lastFindings.values()))
        if (accounts.has(account)) check(account, source, found)
    },
  )

  const list = (account: AccountId): Alert[] => alertsShown(episodes, account)

  type Update = (episodes: readonly Episode[]) => readonly Episode[]

  /** Updates the episodes. On disk they keep their first amounts, which change all the time. */
  function apply(update: Update, account: AccountId, next = update(episodes)): Promise<void> {
    const isSame = haveSameFacts(episodes, next)
    episodes = next
    const alerts = list(account)
    const text = JSON.stringify(alerts)
    if (emitted.get(account) !== text) {
      emitted.set(account, text)
      changes.emit({ account, alerts })
    }
    if (!isClosed) snoozes.wait()
    if (isSame) return Promise.resolve()
    return write((stored) => ({ ...stored, episodes: [...update(stored.episodes)] }))
  }

  async function write(change: (stored: AlertsDocument) => AlertsDocument): Promise<void> {
    const writing = section.change(change)
    written = writing.catch(() => undefined)
    await writing
  }
  const limits = createLimits(section, write)

  function check(account: AccountId, source: AlertSource, found: readonly FoundAlert[]): void {
    // Before the stored episodes are loaded, every cause would seem new.
    if (isClosed || !section.isReady()) return
    const findings: Findings = { account, source, found }
    lastFindings.set(resourceKey(account, source), findings)
    // Most checks find nothing and end here.
    const hasEpisode = episodes.some((episode) => episode.account === account && isOf(source, episode))
    if (found.length === 0 && !hasEpisode) return
    const at = now()
    const next = follow(episodes, findings, at)
    const { due } = next
    apply((before) => follow(before, findings, at).episodes, account, next.episodes).catch((error: unknown) =>
      report('alerts.keep', error),
    )
    const ids = new Set(due.map(({ id }) => id))
    if (ids.size > 0)
      notify(
        account,
        list(account).filter(({ id }) => ids.has(id)),
      )
  }

  async function change(account: AccountId, id: string, update: Partial<Episode>): Promise<void> {
    if (!episodes.some((episode) => episode.account === account && episode.id === id && !episode.dismissed))
      throw new FailureError({ kind: 'invalid-input', field: 'alert', reason: 'unknown' })
    await apply(
      (all) => all.map((episode) => (episode.id === id ? { ...episode, ...update } : episode)),
      account,
    )
  }

  /** Shows the stored alerts once they are loaded, and makes every source check again. */
  function loaded(): void {
    if (isClosed) return
    const stored = section.read()
    episodes = stored.episodes
    lastFindings.clear()
    snoozes.wait()
    const accounts = new Set([...Object.keys(stored.limits), ...episodes.map(({ account }) => account)])
    for (const account of accounts) {
      const alerts = list(account)
      emitted.set(account, JSON.stringify(alerts))
      changes.emit({ account, alerts })
      limits.changes.emit(account)
    }
  }
  section.onLoad(loaded)

  const handlers: HandlersOf<typeof alertCalls> = {
    'alerts.list': ({ account }) => list(account),
    'alerts.snooze': ({ account, alert, length }) =>
      change(account, alert, { snoozedUntil: length === null ? null : snoozeEnd(length, now()) }),
    'alerts.dismiss': ({ account, alert }) => change(account, alert, { dismissed: true, snoozedUntil: null }),
    'alerts.limits': async ({ account }) => {
      await section.ready()
      return limits.of(account)
    },
    'alerts.setLimits': ({ account, limits: next }) => limits.set(account, next),
  }

  const events: EventsOf<typeof alertEvents> = { 'alerts.changed': changes.on }
  snoozes.wait()

  return defineModule({
    handlers,
    events,
    list,
    limits: limits.of,
    hasLimits: limits.exist,
    /** Updates the alerts of a source. Call it after each successful check: causes missing in `found` are over. */
    check,
    stands: (account: AccountId, cause: AlertCause): boolean =>
      episodes.some(({ id }) => id === alertId(account, cause)),
    onLimits: limits.changes.on,
    async forgetAccount(account: AccountId): Promise<void> {
      for (const key of lastFindings.keys()) if (isKeyOf(account, key)) lastFindings.delete(key)
      await apply((all) => all.filter((episode) => episode.account !== account), account)
      await write((stored) => ({
        ...stored,
        limits: Object.fromEntries(Object.entries(stored.limits).filter(([id]) => id !== account)),
      }))
    },
    async close(): Promise<void> {
      isClosed = true
      snoozes.cancel()
      await written
    },
  })
}
export type Alerts = ReturnType<typeof createAlerts>
