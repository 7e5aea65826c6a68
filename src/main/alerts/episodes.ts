import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Alert, type AlertCause, type AlertKind } from '#shared/bridge/alert'
import type { Money } from '#shared/money/money'
import { resourceKey } from '#shared/resource-key'
import { isSnoozed } from './snooze'

/** A cause of an alert that holds now. `since`: epoch seconds; absent: since it was first found. */
export interface FoundAlert {
  readonly cause: AlertCause
  readonly since?: number
}

/** Who finds which alerts: a source that looked and found nothing ends its own alerts and no others. */
const alertSources = {
  budget: ['budget-reached', 'budget-forecast'],
  rate: ['hourly-limit'],
  machines: ['long-running'],
  balance: ['balance-low'],
  idle: ['idle'],
} as const satisfies Readonly<Record<string, readonly AlertKind[]>>
export type AlertSource = keyof typeof alertSources

/** One alert from where its cause begins to where it ends, as it is kept on disk. */
export const Episode = Alert.extend({ notified: z.boolean(), dismissed: z.boolean() })
export type Episode = z.infer<typeof Episode>

const moneyKey = ({ currency, millionths }: Money): string => `${currency}-${String(millionths)}`

/** What makes two causes the same one: another month, machine or limit is another cause. */
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
    case 'idle':
      return `${cause.kind}/${cause.machine}`
  }
}

export const alertId = (account: AccountId, cause: AlertCause): string => resourceKey(account, keyOf(cause))

/** Whether the source is the one that finds such alerts. */
export const isOf = (source: AlertSource, { cause }: Episode): boolean =>
  alertSources[source].some((kind) => kind === cause.kind)

/** What a source found, at `now` (epoch seconds). */
export interface Findings {
  readonly account: AccountId
  readonly source: AlertSource
  readonly found: readonly FoundAlert[]
}

/**
 * The episodes after a source has checked, and those that are due for a notification: each once when it begins, and
 * once more when its snooze is over. Pure.
 */
export function follow(
  episodes: readonly Episode[],
  { account, source, found }: Findings,
  now: number,
): { readonly episodes: readonly Episode[]; readonly due: readonly Episode[] } {
  const known = new Map(episodes.map((episode) => [episode.id, episode]))
  const due: Episode[] = []
  const current = [...new Map(found.map((one) => [alertId(account, one.cause), one]))].map(
    ([id, { cause, since }]): Episode => {
      const before = known.get(id)
      const awake = !isSnoozed(before?.snoozedUntil ?? null, now)
      const isDue = awake && !before?.dismissed && (before?.notified !== true || before.snoozedUntil !== null)
      const episode: Episode = {
        id,
        account,
        cause,
        since: since ?? before?.since ?? now,
        snoozedUntil: awake ? null : (before?.snoozedUntil ?? null),
        notified: isDue || before?.notified === true,
        dismissed: before?.dismissed ?? false,
      }
      if (isDue) due.push(episode)
      return episode
    },
  )
  const others = episodes.filter((episode) => episode.account !== account || !isOf(source, episode))
  return { episodes: [...others, ...current], due }
}

/** What a person is shown of an account's episodes: newest first, the snoozed ones last. Pure. */
export const alertsShown = (episodes: readonly Episode[], account: AccountId): Alert[] =>
  episodes
    .filter((episode) => episode.account === account && !episode.dismissed)
    .map(({ id, cause, since, snoozedUntil }) => ({ id, account, cause, since, snoozedUntil }))
    .sort(
      (one, other) =>
        Number(one.snoozedUntil !== null) - Number(other.snoozedUntil !== null) ||
        other.since - one.since ||
        (one.id < other.id ? -1 : 1),
    )
