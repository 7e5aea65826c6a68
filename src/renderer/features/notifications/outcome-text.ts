import type { DeliveryOutcome, DeliveryTarget } from '#shared/bridge/notification'
import type { Failure } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { t, tPath } from '../../platform/i18n'
import { duration } from '../../platform/time'

function problemOf(failure: Failure): string {
  const { title, text } = failureText(failure, tPath)
  return t('common.sentences', { first: title, second: text })
}

/** Returns the text for the outcome of sending a message to a target. */
export function outcomeText(target: DeliveryTarget, outcome: DeliveryOutcome): string {
  switch (outcome.kind) {
    case 'sent':
      return t(`notifications.outcomes.${target === 'mail' ? 'accepted' : 'sent'}`)
    case 'refused': {
      const { status, message } = outcome
      return message === null
        ? t('notifications.outcomes.refused', { status })
        : t('notifications.outcomes.refusedWith', { status, message })
    }
    case 'busy':
      return outcome.retryAfter === null
        ? t('notifications.outcomes.busy')
        : t('notifications.outcomes.busyFor', { duration: duration(outcome.retryAfter) })
    case 'redirected':
      return t('notifications.outcomes.redirected')
    case 'web-page':
      return t('notifications.outcomes.page', { status: outcome.status })
    case 'unknown':
      return t('notifications.outcomes.unknown', { problem: problemOf(outcome.failure) })
    case 'unconfirmed':
      return t('notifications.outcomes.unconfirmed', { status: outcome.status })
    case 'failed':
      return t('notifications.outcomes.failed', { problem: problemOf(outcome.failure) })
    case 'no-address':
      return t('notifications.outcomes.noAddress')
    case 'dropped':
      return t('notifications.outcomes.dropped')
    case 'no-mailer':
      return t('notifications.outcomes.noMailer')
    case 'mailer-failed': {
      const { code, message } = outcome
      if (code === null) return t('notifications.outcomes.mailerEnded')
      return message === ''
        ? t('notifications.outcomes.mailerFailed', { code })
        : t('notifications.outcomes.mailerFailedWith', { code, message })
    }
    case 'mailer-silent':
      return t('notifications.outcomes.mailerSilent', { seconds: outcome.seconds })
  }
}
