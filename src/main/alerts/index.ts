import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { type Alert, type AlertCause, type alertCalls, AlertLimits } from '#shared/bridge/alert'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import type { SettingsStore } from '../store/settings'
import {
  alertId,
  type AlertSource,
  alertsShown,
  Episode,
  type Findings,
  follow,
  type FoundAlert,
} from './episodes'
import { snoozeEnd } from './snooze'

export type { AlertSource, FoundAlert } from './episodes'

export interface AlertsDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  /** Alerts of one account that began just now, or whose snooze is over: at least one. */
  tell(account: AccountId, alerts: readonly Alert[]): void
  /** Something that the person did not wait for failed. */
  report(action: string, error: unknown): void
}

/** The section `alerts` of the settings. */
const Kept = z.object({
  episodes: z.array(Episode).default([]),
  limits: z.record(z.string(), AlertLimits).default({}),
})

/** Seconds between two looks at snoozes: timers stand still while the computer sleeps, the clock does not. */
const lookEvery = 30

/**
 * The alerts of all accounts, whoever finds them: told once per cause, listed while it holds, kept over a restart. A
 * source tells what it finds each time it looks; what it does not find any more is over.
 */
export function createAlerts({ settings, now, after, tell, report }: AlertsDeps) {
  const section = settings.section('alerts', Kept)
  let episodes: readonly Episode[] = section.read().episodes
  const shown = new Map<AccountId, string>()
  const listeners = new Set<(account: AccountId, alerts: Alert[]) => void>()
  const limitListeners = new Set<(account: AccountId) => void>()
  /** What each source found last: a snooze that is over is told only of what still holds. */
  const last = new Map<string, Findings>()
  let cancel = (): void => undefined

  const list = (account: AccountId): Alert[] => alertsShown(episodes, account)
  const limits = (account: AccountId): AlertLimits => section.read().limits[account] ?? AlertLimits.parse({})

  /** Takes the episodes over and tells who listens. On disk they are as they began: amounts change all the time. */
  function take(next: readonly Episode[], account: AccountId): Promise<void> {
    const lasting = (all: readonly Episode[]): string =>
      JSON.stringify(all.map(({ id, snoozedUntil, told, dismissed }) => [id, snoozedUntil, told, dismissed]))
    const changed = lasting(next) !== lasting(episodes)
    episodes = next
    const alerts = list(account)
    const text = JSON.stringify(alerts)
    if (shown.get(account) !== text) {
      shown.set(account, text)
      listeners.forEach((listener) => listener(account, alerts))
    }
    awaitSnoozes()
    if (!changed) return Promise.resolve()
    return section.change((kept) => ({ ...kept, episodes: [...next] })).then(() => undefined)
  }
  const keep = (next: readonly Episode[], account: AccountId): void => {
    take(next, account).catch((error: unknown) => report('alerts.keep', error))
  }

  function check(account: AccountId, source: AlertSource, found: readonly FoundAlert[]): void {
    const findings: Findings = { account, source, found }
    last.set(`${account}/${source}`, findings)
    const step = follow(episodes, findings, now())
    keep(step.episodes, account)
    const ids = new Set(step.told.map(({ id }) => id))
    if (ids.size > 0)
      tell(
        account,
        list(account).filter(({ id }) => ids.has(id)),
      )
  }

  function awaitSnoozes(): void {
    cancel()
    cancel = () => undefined
    const ends = episodes.flatMap(({ snoozedUntil }) => (snoozedUntil === null ? [] : [snoozedUntil]))
    if (ends.length === 0) return
    const wait = Math.min(...ends) - now()
    cancel = after(wait > 0 ? Math.min(wait, lookEvery) : lookEvery, () => {
      const over = episodes.filter(({ snoozedUntil }) => snoozedUntil !== null && snoozedUntil <= now())
      const accounts = new Set(over.map(({ account }) => account))
      for (const { account, source, found } of [...last.values()])
        if (accounts.has(account)) check(account, source, found)
      awaitSnoozes()
    })
  }

  async function change(account: AccountId, id: string, update: Partial<Episode>): Promise<void> {
    if (!episodes.some((one) => one.account === account && one.id === id && !one.dismissed))
      throw new FailureError({ kind: 'invalid-input', field: 'alert', reason: 'unknown' })
    await take(
      episodes.map((one) => (one.id === id ? { ...one, ...update } : one)),
      account,
    )
  }

  const handlers: HandlersOf<typeof alertCalls> = {
    'alerts.list': ({ account }) => list(account),
    'alerts.snooze': ({ account, alert, length }) =>
      change(account, alert, { snoozedUntil: length === null ? null : snoozeEnd(length, now()) }),
    'alerts.dismiss': ({ account, alert }) => change(account, alert, { dismissed: true, snoozedUntil: null }),
    'alerts.limits': ({ account }) => limits(account),
    'alerts.setLimits': async ({ account, limits: next }) => {
      const written = section.change((kept) => ({ ...kept, limits: { ...kept.limits, [account]: next } }))
      limitListeners.forEach((listener) => listener(account))
      await written
      return limits(account)
    },
  }

  awaitSnoozes()

  return {
    handlers,
    list,
    limits,
    /**
     * What a source finds to hold of an account now. To be called each time it looks, and only when it could see: what
     * is not among `found` is over.
     */
    check,
    stands: (account: AccountId, cause: AlertCause): boolean =>
      episodes.some(({ id }) => id === alertId(account, cause)),
    onChange(listener: (account: AccountId, alerts: Alert[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onLimits(listener: (account: AccountId) => void): () => void {
      limitListeners.add(listener)
      return () => limitListeners.delete(listener)
    },
    async forgetAccount(account: AccountId): Promise<void> {
      for (const key of last.keys()) if (key.startsWith(`${account}/`)) last.delete(key)
      await take(
        episodes.filter((one) => one.account !== account),
        account,
      )
      await section.change((kept) => ({
        ...kept,
        limits: Object.fromEntries(Object.entries(kept.limits).filter(([id]) => id !== account)),
      }))
    },
    close: (): void => cancel(),
  }
}
export type Alerts = ReturnType<typeof createAlerts>
