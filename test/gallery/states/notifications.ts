import { h } from 'vue'
import { notificationKinds, Settings, usualQuietHours } from '#shared/bridge/app'
import type {
  DeliveryOutcome,
  DeliveryResult,
  DeliveryTarget,
  DeliveryTargets,
  NotificationEntry,
} from '#shared/bridge/notification'
import { FailureError } from '#shared/failure'
import NotificationList from '../../../src/renderer/features/notifications/NotificationList.vue'
import NotificationRow from '../../../src/renderer/features/notifications/NotificationRow.vue'
import DeliveryResultLine from '../../../src/renderer/pages/settings/DeliveryResultLine.vue'
import DeliverySection from '../../../src/renderer/pages/settings/DeliverySection.vue'
import DeliveryTargetRow from '../../../src/renderer/pages/settings/DeliveryTargetRow.vue'
import MailForm from '../../../src/renderer/pages/settings/MailForm.vue'
import QuietHoursRow from '../../../src/renderer/pages/settings/QuietHoursRow.vue'
import WebhookForm from '../../../src/renderer/pages/settings/WebhookForm.vue'
import { never } from '../fake-main'
import { entry, fill, part, submit } from '../state'
import { texts } from '../texts'
import { deliveryTargets, notification, now } from '../world'

const row = (changes: Partial<NotificationEntry>) => () =>
  h('ul', [h(NotificationRow, { entry: notification('n', changes) })])
const list = (entries: readonly NotificationEntry[]) => ({
  render: () => h(NotificationList),
  handlers: { 'notifications.history': () => [...entries] },
})
const seen = notification('n-3', { isNew: false, kind: 'creation', title: 'eval-nightly is ready', body: '' })

const result = (outcome: DeliveryOutcome): DeliveryResult => ({ at: now - 40, outcome })
const line = (target: DeliveryTarget, outcome: DeliveryOutcome) => () =>
  h(DeliveryResultLine, { target, result: result(outcome) })
const section = (targets: DeliveryTargets) => ({
  render: () => h(DeliverySection),
  handlers: { 'notifications.targets': () => targets },
})
const quiet = {
  render: () => h(QuietHoursRow),
  handlers: {
    'settings.read': () => Settings.parse({ quietHours: { ...usualQuietHours, isOn: true } }),
  },
}
const webhook = { kind: 'slack', place: '•••.slack.com' } as const
const refused: DeliveryOutcome = { kind: 'refused', status: 404, message: 'no_service' }
const cannotConnect = { kind: 'cannot-connect', host: '•••.slack.com', reason: 'ECONNREFUSED' } as const
const invalid = (field: string) => () => {
  throw new FailureError({ kind: 'invalid-input', field, reason: 'malformed' })
}

export default [
  entry(NotificationList, {
    none: list([]),
    'new and earlier': list([notification('n-1'), notification('n-2', { kind: 'stock' }), seen]),
    'earlier shown': {
      ...list([notification('n-1'), seen]),
      act: (stage) => part(stage, '.more').click(),
    },
    'earlier only': list([seen]),
  }),
  entry(NotificationRow, {
    ...Object.fromEntries(notificationKinds.map((kind) => [kind, row({ kind })])),
    long: row({ title: texts.long, body: texts.long }),
    html: row({ title: texts.html, body: texts.html }),
    'control characters': row({ title: texts.control, body: texts.control }),
    'right to left': { rtl: true, render: row({ title: texts.rtl }) },
    'a megabyte': row({ title: texts.huge, body: texts.huge }),
  }),
  entry(DeliverySection, {
    'nothing set up': section(deliveryTargets()),
    'no mail program': section(deliveryTargets({ mailer: null })),
    'both set up': section(
      deliveryTargets({
        webhook: { ...webhook, result: result(refused) },
        mail: { to: 'anna@example.com', result: result({ kind: 'sent' }) },
      }),
    ),
    'mail program gone': section(
      deliveryTargets({ mailer: null, mail: { to: 'anna@example.com', result: null } }),
    ),
    loading: { handlers: { 'notifications.targets': () => never }, render: () => h(DeliverySection) },
    failed: {
      handlers: {
        'notifications.targets': () => {
          throw new FailureError({ kind: 'local-fault', action: 'notifications.targets', reason: 'EACCES' })
        },
      },
      render: () => h(DeliverySection),
    },
  }),
  entry(DeliveryTargetRow, {
    testing: {
      handlers: { 'notifications.testTarget': () => never },
      render: () =>
        h(DeliveryTargetRow, { target: 'webhook', current: 'ntfy, ntfy.sh', canTest: true, result: null }),
      act: (stage) => part(stage, 'button').click(),
    },
    removing: {
      render: () =>
        h(DeliveryTargetRow, { target: 'webhook', current: 'ntfy, ntfy.sh', canTest: false, result: null }),
      act: (stage) => part(stage, 'button').click(),
    },
    hostile: () => h(DeliveryTargetRow, { target: 'mail', current: texts.long, canTest: true, result: null }),
    narrow: {
      width: 320,
      render: () =>
        h(DeliveryTargetRow, {
          target: 'webhook',
          current: 'Slack, •••.slack.com',
          canTest: true,
          result: result(refused),
        }),
    },
  }),
  entry(DeliveryResultLine, {
    none: () => h(DeliveryResultLine, { target: 'webhook', result: null }),
    sent: line('webhook', { kind: 'sent' }),
    accepted: line('mail', { kind: 'sent' }),
    'refused without a reason': line('webhook', { kind: 'refused', status: 400, message: null }),
    unconfirmed: line('webhook', { kind: 'unconfirmed', status: 502 }),
    busy: line('webhook', { kind: 'busy', retryAfter: null }),
    'busy for a time': line('webhook', { kind: 'busy', retryAfter: 90 }),
    redirected: line('webhook', { kind: 'redirected' }),
    'a web page': line('webhook', { kind: 'web-page', status: 200 }),
    unknown: line('webhook', { kind: 'unknown', failure: cannotConnect }),
    failed: line('webhook', { kind: 'failed', failure: cannotConnect }),
    'no address': line('webhook', { kind: 'no-address' }),
    dropped: line('webhook', { kind: 'dropped' }),
    'no mail program': line('mail', { kind: 'no-mailer' }),
    'mail program failed': line('mail', { kind: 'mailer-failed', code: 78, message: 'no such relay' }),
    'mail program failed silently': line('mail', { kind: 'mailer-failed', code: 1, message: '' }),
    'mail program was ended': line('mail', { kind: 'mailer-failed', code: null, message: '' }),
    'mail program did not end': line('mail', { kind: 'mailer-silent', seconds: 60 }),
    hostile: line('mail', { kind: 'mailer-failed', code: 1, message: texts.long }),
  }),
  entry(WebhookForm, {
    empty: () => h(WebhookForm),
    refused: {
      handlers: { 'notifications.setWebhook': invalid('webhook') },
      render: () => h(WebhookForm),
      act: async (stage) => {
        await fill(stage, 'https://ntfy.sh')
        submit(stage)
      },
    },
    'without a keychain': {
      handlers: {
        'notifications.setWebhook': () => {
          throw new FailureError({ kind: 'keychain-unavailable', reason: 'The keyring is locked.' })
        },
      },
      render: () => h(WebhookForm),
      act: submit,
    },
  }),
  entry(MailForm, {
    empty: () => h(MailForm, { mailer: '/usr/sbin/sendmail' }),
    refused: {
      handlers: { 'notifications.setMail': invalid('mailAddress') },
      render: () => h(MailForm, { mailer: texts.long }),
      act: submit,
    },
  }),
  entry(QuietHoursRow, {
    off: () => h(QuietHoursRow),
    on: quiet,
    narrow: { ...quiet, width: 320 },
  }),
]
