// @vitest-environment happy-dom
import '../../../../test/gallery/mounted'
import { expect, it } from 'vitest'
import type { DeliveryOutcome, DeliveryTarget } from '#shared/bridge/notification'
import { outcomeText } from './outcome-text'

const cannotConnect = { kind: 'cannot-connect', host: '•••.slack.com', reason: 'ECONNREFUSED' } as const

it.each<[DeliveryTarget, DeliveryOutcome, string]>([
  ['webhook', { kind: 'sent' }, 'Sent'],
  ['mail', { kind: 'sent' }, 'The mail program accepted it. Its delivery can still fail.'],
  ['webhook', { kind: 'refused', status: 404, message: 'no_service' }, 'Refused (HTTP 404): no_service'],
  ['webhook', { kind: 'refused', status: 400, message: null }, 'Refused (HTTP 400)'],
  [
    'webhook',
    { kind: 'unconfirmed', status: 502 },
    'No confirmation (HTTP 502), so it may not have arrived.',
  ],
  ['webhook', { kind: 'busy', retryAfter: null }, 'Not sent: too many requests'],
  [
    'webhook',
    { kind: 'busy', retryAfter: 120 },
    'Not sent: too many requests. It asked for a pause of 2 min.',
  ],
  [
    'webhook',
    { kind: 'failed', failure: cannotConnect },
    'Not sent. Couldn’t connect to •••.slack.com. No response (ECONNREFUSED).',
  ],
  ['webhook', { kind: 'unknown', failure: cannotConnect }, 'No confirmation, so it may not have arrived.'],
  [
    'webhook',
    { kind: 'web-page', status: 200 },
    'Not sent: the address answered with a web page (HTTP 200).',
  ],
  ['webhook', { kind: 'redirected' }, 'The address answered with a redirect'],
  ['webhook', { kind: 'no-address' }, 'Not sent: the keychain no longer has the address.'],
  ['webhook', { kind: 'dropped' }, 'Too many notifications were waiting'],
  ['mail', { kind: 'no-mailer' }, 'Not sent: this computer has no mail program.'],
  [
    'mail',
    { kind: 'mailer-failed', code: 78, message: 'no such relay' },
    'Not sent: the mail program ended with exit code 78: no such relay',
  ],
  [
    'mail',
    { kind: 'mailer-failed', code: 1, message: '' },
    'Not sent: the mail program ended with exit code 1.',
  ],
  [
    'mail',
    { kind: 'mailer-failed', code: null, message: '' },
    'No confirmation: the mail program was ended.',
  ],
  ['mail', { kind: 'mailer-silent', seconds: 60 }, 'the mail program didn’t end within 60 s'],
])('%s: %o is explained', (target, outcome, text) => {
  expect(outcomeText(target, outcome)).toContain(text)
})
