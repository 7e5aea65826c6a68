import type { Activity } from '#shared/bridge/activity'
import { assertNever } from '#shared/assert-never'
import { alertText } from '#shared/messages/alert-text'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'
import { statusText } from '../../features/machine-text'

const nameOf = (name: string): string => foreignText(name, 120)

/** Returns an event as text. `account`: the user's label of the account. */
export function activityText({ event, at }: Activity, account: string): string {
  switch (event.kind) {
    case 'machine-new':
    case 'machine-state': {
      const status = foreignText(statusText(event.status), 60).toLowerCase()
      return t(`overview.activity.${event.kind}`, { name: nameOf(event.name), status })
    }
    case 'machine-gone':
    case 'volume-new':
    case 'volume-gone':
      return t(`overview.activity.${event.kind}`, { name: nameOf(event.name) })
    case 'alert':
      return alertText({ cause: event.cause, since: event.since }, tPath, at).title
    case 'sign-in-lost':
      return t('overview.activity.sign-in-lost', { account })
    default:
      return assertNever(event)
  }
}
