import type { Activity } from '#shared/bridge/activity'
import { assertNever } from '#shared/assert-never'
import { alertText } from '#shared/messages/alert-text'
import { t, tPath } from '../../platform/i18n'
import { statusText } from '../../features/machine-text'

/** What happened, in words. `account` is what the person calls it. */
export function activityText({ event, at }: Activity, account: string): string {
  switch (event.kind) {
    case 'machine-new':
    case 'machine-state': {
      const status = statusText(event.status).toLowerCase()
      return t(`overview.activity.${event.kind}`, { name: event.name, status })
    }
    case 'machine-gone':
    case 'volume-new':
    case 'volume-gone':
      return t(`overview.activity.${event.kind}`, { name: event.name })
    case 'alert':
      return alertText({ cause: event.cause, since: event.since }, tPath, at).title
    case 'sign-in-lost':
      return t('overview.activity.sign-in-lost', { account })
    default:
      return assertNever(event)
  }
}
