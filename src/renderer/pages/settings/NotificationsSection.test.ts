// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { type NotificationKind, notificationKinds, Settings } from '#shared/bridge/app'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import NotificationsSection from './NotificationsSection.vue'

let window: Mounted
afterEach(() => window.unmount())

let muted: readonly NotificationKind[]
const open = async (): Promise<void> => {
  muted = []
  window = await mounted(() => h(NotificationsSection), {
    'settings.change': (changes) => {
      muted = changes.mutedNotifications ?? muted
      return Settings.parse(changes)
    },
  })
}
const checkbox = (kind: NotificationKind) => window.find(`[data-setting=notify-${kind}] [role=checkbox]`)

it('every kind of notification is on, and is turned off by itself', async () => {
  await open()
  for (const kind of notificationKinds)
    expect([kind, checkbox(kind).getAttribute('aria-checked')]).toEqual([kind, 'true'])
  await window.click(checkbox('idle'))
  expect(muted).toEqual(['idle'])
  expect(checkbox('idle').getAttribute('aria-checked')).toBe('false')
  expect(checkbox('budget').getAttribute('aria-checked')).toBe('true')
})

it('two changes in a row are both saved, and Undo restores one', async () => {
  await open()
  checkbox('idle').click()
  await window.click(checkbox('stock'))
  await window.settled()
  expect(muted).toEqual(['idle', 'stock'])
  const undo = window
    .all('button')
    .filter(({ textContent }) => textContent?.trim() === t('common.actions.undo'))
  await window.click(undo.at(-1) ?? expect.fail('no undo'))
  await window.settled()
  expect(muted).toEqual(['idle'])
})

it('a test notification is sent, or its failure is shown', async () => {
  let isBroken = false
  window = await mounted(() => h(NotificationsSection), {
    'notifications.test': () => {
      if (isBroken) throw new FailureError({ kind: 'local-fault', action: 'x', reason: 'no daemon' })
    },
  })
  await window.click(t('settings.notifications.test.action'))
  expect(window.main.calls).toContainEqual(['notifications.test', {}])
  expect(window.text()).toContain(t('settings.notifications.test.sent'))
  isBroken = true
  await window.click(t('settings.notifications.test.action'))
  expect(window.text()).toContain('no daemon')
})
