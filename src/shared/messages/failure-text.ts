import type { Failure } from '../failure'
import { assertNever } from '../assert-never'
import { dateFormat } from '../locale'
import { refusedAddress } from '../ssh-wait-reasons'
import { bytesText } from './bytes-text'
import { failures } from './en/failures'

/** Text of a failure: the problem, its details, and the next step. */
export interface FailureText {
  readonly title: string
  readonly text: string
  readonly next: string
}

/** Returns a message of messages/en by its path, with its braces filled. */
export type TranslatePath = (path: string, values?: Readonly<Record<string, string | number>>) => string

/** Codes of Chromium and OpenSSL for a certificate whose authority this computer does not trust. */
const unknownAuthority = /AUTHORITY_INVALID|SELF_SIGNED|UNABLE_TO_/

/** Includes seconds: a pause may be shorter than a minute. */
const timeOfDay = dateFormat({ timeStyle: 'medium' })

const fieldNames: Readonly<Record<string, string>> = failures.fields

/**
 * Returns the text for a field: for a path, the text of its last step that has one. An undocumented field keeps its
 * name in the failure.
 */
function fieldName(field: string, translate: TranslatePath): string {
  const known = field.split('.').findLast((step) => Object.hasOwn(fieldNames, step))
  return known === undefined ? field : translate(`failures.fields.${known}`)
}

/** Returns the text for a capability; an undocumented one keeps its name in the failure. */
const capabilityName = (what: string, translate: TranslatePath): string =>
  Object.hasOwn(failures.capabilities, what) ? translate(`failures.capabilities.${what}`) : what

/** Returns the text for the internal name of an attempt, such as `ssh.connect`. Any other text is returned unchanged. */
const actionName = (action: string, translate: TranslatePath): string => {
  const [area = ''] = action.split('.')
  if (Object.hasOwn(failures.actions, area)) return translate(`failures.actions.${area}`)
  if (!/^\w+$/.test(area)) return action
  const path = `${area}.attempt`
  const ownText = translate(path)
  return ownText === path || ownText === '' ? action : ownText
}

/** Returns the text for every kind of failure, for the window and for system notifications. */
export function failureText(failure: Failure, translate: TranslatePath): FailureText {
  const plain = (values: Readonly<Record<string, string | number>> = {}): FailureText => ({
    title: translate(`failures.${failure.kind}.title`, values),
    text: translate(`failures.${failure.kind}.text`, values),
    next: translate(`failures.${failure.kind}.next`, values),
  })
  switch (failure.kind) {
    case 'offline':
    case 'cancelled':
    case 'disk-full':
      return plain()
    case 'cannot-connect': {
      const { host, reason } = failure
      if (reason !== refusedAddress) return plain({ host, reason })
      return {
        title: translate('failures.refused-address.title', { host }),
        text: translate('failures.refused-address.text'),
        next: translate('failures.refused-address.next'),
      }
    }
    case 'untrusted-certificate':
      return {
        ...plain({ host: failure.host, reason: failure.reason }),
        ...(unknownAuthority.test(failure.reason) && {
          next: translate('failures.untrusted-certificate.nextAuthority', { host: failure.host }),
        }),
      }
    case 'proxy': {
      const path = `failures.proxy.${failure.problem}`
      const values = { proxy: failure.proxy, host: failure.host }
      return {
        title: translate(`${path}.title`, values),
        text: translate(`${path}.text`, values),
        next: translate(`${path}.next`, values),
      }
    }
    case 'timed-out':
      return plain({ host: failure.host, seconds: failure.seconds })
    case 'not-signed-in': {
      const path = `failures.not-signed-in.${failure.reason}`
      return {
        title: translate(`${path}.title`),
        text: failure.message
          ? translate('failures.not-signed-in.withMessage', { message: failure.message })
          : translate(`${path}.text`),
        next: translate(`${path}.next`),
      }
    }
    case 'refused-by-service': {
      const words = plain({ message: failure.message })
      return failure.message
        ? words
        : { ...words, text: translate('failures.refused-by-service.silent', { status: failure.status }) }
    }
    case 'unexpected-answer':
      return {
        ...plain({ expected: actionName(failure.expected, translate), received: failure.received }),
        ...(failure.received.includes('text/html') && {
          text:
            failure.status === undefined
              ? translate('failures.unexpected-answer.page')
              : translate('failures.unexpected-answer.pageStatus', { status: failure.status }),
          next: translate('failures.unexpected-answer.nextPage'),
        }),
      }
    case 'rate-limited':
      if (failure.until !== undefined)
        return {
          ...plain(),
          next: translate('failures.rate-limited.nextAt', { time: timeOfDay(failure.until) }),
        }
      return failure.retryAfter === undefined
        ? plain()
        : { ...plain(), next: translate('failures.rate-limited.nextAfter', { seconds: failure.retryAfter }) }
    case 'forbidden':
      return failure.message
        ? { ...plain(), text: translate('failures.not-signed-in.withMessage', { message: failure.message }) }
        : plain()
    case 'invalid-input':
      if (Object.hasOwn(failures.confirmable, failure.reason)) {
        const path = `failures.confirmable.${failure.reason}`
        return {
          title: translate(`${path}.title`),
          text: translate(`${path}.text`),
          next: translate(`${path}.next`),
        }
      }
      return {
        title: translate('failures.invalid-input.title', { field: fieldName(failure.field, translate) }),
        text: translate(
          failure.reason === 'malformed' && Object.hasOwn(failures.formats, failure.field)
            ? `failures.formats.${failure.field}`
            : `failures.invalid.${failure.reason}`,
        ),
        next: translate('failures.invalid-input.next'),
      }
    case 'keychain-unavailable':
      return plain({ reason: failure.reason })
    case 'not-offered-by-service':
      return plain({ what: capabilityName(failure.what, translate) })
    case 'no-space':
      return plain({
        place: failure.machine ?? translate('failures.no-space.here'),
        free: bytesText(failure.free, translate),
        needed: bytesText(failure.needed, translate),
      })
    case 'host-key-changed':
      return plain({ host: failure.host, known: failure.known, offered: failure.offered })
    case 'host-key-refused':
      return plain({ host: failure.host })
    case 'local-fault':
      return plain({ action: actionName(failure.action, translate), reason: failure.reason })
    default:
      return assertNever(failure)
  }
}
