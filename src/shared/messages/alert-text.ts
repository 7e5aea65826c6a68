import type { Alert, AlertCause } from '../bridge/alert'
import { assertNever } from '../assert-never'
import { dateFormat, numberFormat } from '../locale'
import { formatMoney, formatRate } from '../money/format-money'
import { durationSince, durationText } from './duration-text'
import type { TranslatePath } from './failure-text'

/** Text of an alert: its subject and amount. */
export interface AlertText {
  readonly title: string
  readonly text: string
}

const monthName = dateFormat({ month: 'long', timeZone: 'UTC' })

/** Returns the month's name, such as `November` for `2026-11`. */
const monthText = (month: string): string => monthName(Date.parse(`${month}-01T00:00:00Z`) / 1000)

/** Returns the text of an alert, for the window and for system notifications. `now` is epoch seconds. */
export function alertText(
  { cause, since }: Pick<Alert, 'cause' | 'since'>,
  translate: TranslatePath,
  now: number,
): AlertText {
  const words = (values: Readonly<Record<string, string | number>>, title = 'title'): AlertText => ({
    title: translate(`alerts.${cause.kind}.${title}`, values),
    text: translate(`alerts.${cause.kind}.text`, values),
  })
  const duration = durationSince(since, now, translate)
  switch (cause.kind) {
    case 'budget-reached':
      return words({
        month: monthText(cause.month),
        spent: formatMoney(cause.spent),
        budget: formatMoney(cause.budget),
      })
    case 'budget-forecast':
      return words({
        month: monthText(cause.month),
        // A forecast above the budget is never shown as 100 %.
        percent: Math.max(101, Math.round((cause.forecast.millionths / cause.budget.millionths) * 100)),
        forecast: formatMoney(cause.forecast),
        budget: formatMoney(cause.budget),
      })
    case 'hourly-limit':
      return words({ perHour: formatRate(cause.perHour), limit: formatRate(cause.limit) })
    case 'long-running':
      return {
        title: translate('alerts.long-running.title', { name: cause.name, duration }),
        text: runningText(cause, translate),
      }
    case 'balance-low':
      return words(
        {
          duration: durationText(cause.left, translate),
          balance: formatMoney(cause.balance),
          perHour: formatRate(cause.perHour),
        },
        cause.balance.millionths > 0 ? 'title' : 'used',
      )
    case 'idle': {
      const sign = translate(`alerts.idle.sign.${cause.use}`)
      const amount = cause.use === 'cpu-idle' ? 'alerts.idle.spent' : 'alerts.idle.cost'
      return {
        title: translate(`alerts.idle.title.${cause.use}`, { name: cause.name, duration }),
        text: cause.cost ? translate(amount, { cost: formatMoney(cause.cost), sign }) : sign,
      }
    }
    case 'disk-full':
      return {
        title: translate(`alerts.disk-full.${cause.mount === '/' ? 'title' : 'titleAt'}`, {
          name: cause.name,
          mount: cause.mount,
          percent: Math.floor(cause.share * 100),
        }),
        text:
          cause.fullIn === null
            ? translate('alerts.disk-full.text')
            : translate('alerts.disk-full.filling', { duration: durationText(cause.fullIn, translate) }),
      }
    case 'gpu-defect':
      return {
        title: translate(`alerts.gpu-defect.${cause.defect}.title`, { name: cause.name }),
        text: translate(`alerts.gpu-defect.${cause.defect}.text`),
      }
    case 'unreachable':
      return words({ name: cause.name, duration })
    default:
      return assertNever(cause)
  }
}

const formatHours = numberFormat({ maximumFractionDigits: 2 })

function runningText(
  { hours, perHour, cost }: Extract<AlertCause, { kind: 'long-running' }>,
  translate: TranslatePath,
): string {
  const limit = formatHours(hours)
  if (!perHour) return translate('alerts.long-running.text', { hours: limit })
  const values = { hours: limit, perHour: formatRate(perHour) }
  return cost
    ? translate('alerts.long-running.hasCost', { ...values, cost: formatMoney(cost) })
    : translate('alerts.long-running.costs', values)
}
