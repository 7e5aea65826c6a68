// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import type { DeliveryOutcome } from '#shared/bridge/notification'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { deliveryTargets, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import DeliverySection from './DeliverySection.vue'

let window: Mounted
afterEach(() => window.unmount())
const open = async (handlers: Partial<Handlers> = {}): Promise<void> => {
  window = await mounted(() => h(DeliverySection), handlers)
}
const webhook = { kind: 'slack', place: '•••.slack.com', result: null } as const

describe('the webhook', () => {
  it('is saved with its kind, and its address leaves the window', async () => {
    await open({
      'notifications.setWebhook': ({ kind }) => deliveryTargets({ webhook: { ...webhook, kind } }),
    })
    const select = window.find('select')
    if (!(select instanceof HTMLSelectElement)) expect.fail('no list')
    select.value = 'discord'
    select.dispatchEvent(new Event('change'))
    await window.settled()
    expect(window.text()).toContain(t('notifications.webhook.hints.discord'))
    const address = window.field(t('notifications.webhook.address'))
    expect(address.type).toBe('password')
    await window.type(address, 'https://discord.com/api/webhooks/1/sEcReT')
    await window.click(t('notifications.webhook.save'))
    expect(window.main.calls).toContainEqual([
      'notifications.setWebhook',
      { kind: 'discord', address: 'https://discord.com/api/webhooks/1/sEcReT' },
    ])
    expect(window.text()).toContain('Discord, •••.slack.com')
    expect(document.documentElement.outerHTML).not.toContain('sEcReT')
  })

  it('that is refused keeps its input and shows why', async () => {
    await open({
      'notifications.setWebhook': () => {
        throw new FailureError({ kind: 'invalid-input', field: 'webhook', reason: 'malformed' })
      },
    })
    const address = window.field(t('notifications.webhook.address'))
    await window.type(address, 'https://ntfy.sh')
    await window.click(t('notifications.webhook.save'))
    expect(window.text()).toContain(t('failures.formats.webhook'))
    expect(address.value).toBe('https://ntfy.sh')
  })

  it('shows the real result of a test with its time, and is removed', async () => {
    const outcome: DeliveryOutcome = { kind: 'refused', status: 404, message: 'no_service' }
    await open({
      'notifications.targets': () => deliveryTargets({ webhook }),
      'notifications.testTarget': () => {
        const result = { at: now, outcome }
        window.main.emit('notifications.targetsChanged', deliveryTargets({ webhook: { ...webhook, result } }))
        return outcome
      },
      'notifications.removeTarget': () => deliveryTargets(),
    })
    expect(window.text()).toContain(t('notifications.delivery.none'))
    const target = t('notifications.webhook.title')
    await window.click(t('notifications.delivery.testNamed', { target }))
    expect(window.text()).toContain('Refused (HTTP 404): no_service')
    await window.click(t('notifications.delivery.removeNamed', { target }))
    await window.settled()
    expect(window.text()).toContain(t('notifications.webhook.removeText'))
    expect(window.main.calls.map(([name]) => name)).not.toContain('notifications.removeTarget')
    await window.click(t('notifications.delivery.remove'))
    await window.settled()
    expect(window.main.calls).toContainEqual(['notifications.removeTarget', { target: 'webhook' }])
    expect(window.field(t('notifications.webhook.address')).value).toBe('')
  })
})

describe('mail', () => {
  it('is not offered without a mail program', async () => {
    await open({ 'notifications.targets': () => deliveryTargets({ mailer: null }) })
    expect(window.text()).toContain(t('notifications.mail.noMailer'))
    expect(window.text()).not.toContain(t('notifications.mail.save'))
  })

  it('cannot be tested if the mail program is gone, but removed', async () => {
    const mail = { to: 'anna@example.com', result: null }
    await open({ 'notifications.targets': () => deliveryTargets({ mail, mailer: null }) })
    expect(window.text()).toContain(t('notifications.mail.noMailer'))
    expect(window.text()).not.toContain(t('notifications.delivery.test'))
    expect(window.text()).toContain(t('notifications.delivery.remove'))
  })

  it('is saved with its address', async () => {
    await open({ 'notifications.setMail': ({ to }) => deliveryTargets({ mail: { to, result: null } }) })
    expect(window.text()).toContain('/usr/sbin/sendmail')
    await window.type(window.field(t('notifications.mail.address')), 'anna@example.com')
    await window.click(t('notifications.mail.save'))
    expect(window.text()).toContain('anna@example.com')
    expect(window.text()).toContain(t('notifications.mail.saved'))
  })
})

it('a failure to load the targets is shown with a retry', async () => {
  let isBroken = true
  await open({
    'notifications.targets': () => {
      if (isBroken) throw new FailureError({ kind: 'local-fault', action: 'x', reason: 'broken' })
      return deliveryTargets()
    },
  })
  expect(window.text()).toContain('broken')
  isBroken = false
  await window.click(t('common.actions.retry'))
  expect(window.text()).toContain(t('notifications.webhook.address'))
})
