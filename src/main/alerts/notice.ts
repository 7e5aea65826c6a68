import type { AccountId } from '#shared/bridge/account'
import type { Alert, AlertCause, AlertKind } from '#shared/bridge/alert'
import type { Destination, NotificationKind } from '#shared/bridge/app'
import { dateFormat } from '#shared/locale'
import { alertText } from '#shared/messages/alert-text'
import type { TranslatePath } from '#shared/messages/failure-text'

const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** Upper bound on separate notifications; more alerts at once share one. */
const maxSeparateNotices = 3

export interface AlertNotice {
  readonly kind: NotificationKind
  readonly words: { readonly title: string; readonly body: string }
  readonly destination: Destination
}

const kinds: Readonly<Record<AlertKind, NotificationKind>> = {
  'budget-reached': 'budget',
  'budget-forecast': 'budget',
  'hourly-limit': 'spending',
  'long-running': 'running',
  'balance-low': 'balance',
  idle: 'idle',
  'disk-full': 'health',
  'gpu-defect': 'health',
  unreachable: 'health',
}

export const kindOf = (cause: AlertCause): NotificationKind => kinds[cause.kind]

export function destinationOf({ account, cause }: Alert): Destination {
  return 'machine' in cause
    ? { page: 'machines', account, machine: cause.machine }
    : { page: 'overview', account }
}

/** Creates the notifications of alerts that begin together. `label`: name of the account; `now`: epoch seconds. */
export function alertNotices(
  account: AccountId,
  label: string,
  alerts: readonly Alert[],
  translate: TranslatePath,
  now: number,
): readonly AlertNotice[] {
  const [first] = alerts
  if (first && alerts.length > maxSeparateNotices) {
    return [
      {
        kind: kindOf(first.cause),
        words: {
          title: translate('alerts.notice.several', { count: alerts.length, account: label }),
          body: alerts.map((alert) => alertText(alert, translate, now).title).join('\n'),
        },
        destination: { page: 'overview', account },
      },
    ]
  }
  return alerts.map((alert) => {
    const { title, text } = alertText(alert, translate, now)
    const time = exact(alert.since)
    return {
      kind: kindOf(alert.cause),
      words: { title, body: translate('alerts.notice.body', { text, time, account: label }) },
      destination: destinationOf(alert),
    }
  })
}
