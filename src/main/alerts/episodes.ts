import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Alert, type AlertCause, type AlertKind } from '#shared/bridge/alert'
import type { Money } from '#shared/money/money'
import { resourceKey } from '#shared/resource-key'
import { isSnoozed } from './snooze'

/** Cause of an alert that holds now. `since`: epoch seconds; absent: since the alert was first found. */
export interface FoundAlert {
  readonly cause: AlertCause
  readonly since?: number
}

/** Kinds of alerts by source. A source that finds nothing ends only its own alerts. */
const alertSources = {
  budget: ['budget-reached', 'budget-forecast'],
  rate: ['hourly-limit'],
  machines: ['long-running'],
  balance: ['balance-low'],
  idle: ['idle'],
  health: ['disk-full', 'gpu-defect', 'unreachable'],
} as const satisfies Readonly<Record<string, readonly AlertKind[]>>
export type AlertSource = keyof typeof alertSources

export const Episode = Alert.extend({ notified: z.boolean(), dismissed: z.boolean() })
export type Episode = z.infer<typeof Episode>

const moneyKey = ({ currency, millionths }: Money): string => `${currency}-${String(millionths)}`

/** Returns the identity of a cause: another month, machine or limit is another cause. */
function keyOf(cause: AlertCause): string {
  switch (cause.kind) {
    case 'budget-reached':
    case 'budget-forecast':
      return `${cause.kind}/${cause.month}/${moneyKey(cause.budget)}`
    case 'hourly-limit':
      return `${cause.kind}/${moneyKey(cause.limit)}`
    case 'long-running':
      return `${cause.kind}/${cause.machine}/${String(cause.hours)}`
    case 'balance-low':
      return `${cause.kind}/${cause.balance.currency}/${String(cause.days)}`
    case 'gpu-defect':
      return `${cause.kind}/${cause.machine}/${cause.defect}`
    case 'disk-full':
      return `${cause.kind}/${cause.machine}/${cause.mount}`
    case 'unreachable':
    case 'idle':
      return `${cause.kind}/${cause.machine}`
  }
}

export const alertId = (account: AccountId, cause: AlertCause): string => resourceKey(account, keyOf(cause))

export const isOf = (source: AlertSource, { cause }: Episode): boolean =>
  alertSources[source].some((kind) => kind === cause.kind)

export interface Findings {
  readonly account: AccountId
  readonly source: AlertSource
  readonly found: readonly FoundAlert[]
}

/**
 * Updates the episodes after a check, and returns those to notify: each once when it begins, and once more when its
 * snooze ends. `now`: epoch seconds. Pure.
 */
export function follow(
  episodes: readonly Episode[],
  { account, source, found }: Findings,
  now: number,
): { readonly episodes: readonly Episode[]; readonly due: readonly Episode[] } {
  const known = new Map(episodes.map((episode) => [episode.id, episode]))
  const due: Episode[] = []
  const current = [...new Map(found.map((alert) => [alertId(account, alert.cause), alert]))].map(
    ([id, { cause, since }]): Episode => {
      const previous = known.get(id)
      const isAwake = !isSnoozed(previous?.snoozedUntil ?? null, now)
      const isDue =
        isAwake && !previous?.dismissed && (previous?.notified !== true || previous.snoozedUntil !== null)
      const episode: Episode = {
        id,
        account,
        cause,
        since: since ?? previous?.since ?? now,
        snoozedUntil: isAwake ? null : (previous?.snoozedUntil ?? null),
        notified: isDue || previous?.notified === true,
        dismissed: previous?.dismissed ?? false,
      }
      if (isDue) due.push(episode)
      return episode
    },
  )
  const otherEpisodes = episodes.filter((episode) => episode.account !== account || !isOf(source, episode))
  return { episodes: [...otherEpisodes, ...current], due }
}

/** Returns an account's visible alerts: newest first, snoozed ones last. Pure. */
export const alertsShown = (episodes: readonly Episode[], account: AccountId): Alert[] =>
  episodes
    .filter((episode) => episode.account === account && !episode.dismissed)
    .map(({ id, cause, since, snoozedUntil }) => ({ id, account, cause, since, snoozedUntil }))
    .sort(
      (a, b) =>
        Number(a.snoozedUntil !== null) - Number(b.snoozedUntil !== null) ||
        b.since - a.since ||
        (a.id < b.id ? -1 : 1),
    )
