// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Alert } from '#shared/bridge/alert'
import { emissions, mounted, type Mounted, nameOf } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, alert, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AlertRow from './AlertRow.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

const hostile = alert('a-1', {
  kind: 'long-running',
  machine: 'm-train',
  name: texts.html,
  hours: 72,
  perHour: null,
  cost: null,
})
/** Returns a button by the start of its name, which ends with the age of the alert. */
const button = (key: 'showNamed' | 'snoozeNamed' | 'wakeNamed' | 'dismissNamed') =>
  window
    .all('button')
    .find((one) => nameOf(one).startsWith(t(`alerts.list.${key}`, { alert: texts.html }))) ?? window.find(key)
const open = async (shown: Alert = hostile) => {
  const { seen, on } = emissions('shown')
  window = await mounted(() => h('ul', [h(AlertRow, { alert: shown, ...on })]), {
    'alerts.snooze': () => undefined,
    'alerts.dismiss': () => undefined,
    'accounts.select': () => undefined,
  })
  return seen
}

it('the buttons name the alert, with the machine’s name as plain text', async () => {
  await open()
  expect([button('showNamed'), button('snoozeNamed'), button('dismissNamed')]).toEqual(window.all('button'))
  expect(window.all('li img, li b')).toEqual([])
})

it('snoozing asks for a duration first, from the keyboard too', async () => {
  await open()
  await window.click(button('snoozeNamed'))
  expect(document.activeElement?.textContent?.trim()).toBe(t('alerts.list.hour'))
  expect(calls('alerts.snooze')).toEqual([])
  await window.press(window.find('[role=group]'), 'Escape')
  expect(window.all('[role=group]')).toEqual([])
  await window.click(button('snoozeNamed'))
  await window.click(t('alerts.list.week'))
  expect(calls('alerts.snooze')).toEqual([{ account, alert: 'a-1', length: 'week' }])
})

it('a snoozed alert can be woken and dismissed', async () => {
  await open({ ...hostile, snoozedUntil: now + 600 })
  await window.click(button('wakeNamed'))
  await window.click(button('dismissNamed'))
  expect(calls('alerts.snooze')).toEqual([{ account, alert: 'a-1', length: null }])
  expect(calls('alerts.dismiss')).toEqual([{ account, alert: 'a-1' }])
})

it('the show button opens the alert’s machine', async () => {
  const seen = await open()
  await window.click(button('showNamed'))
  expect(seen).toEqual([['shown']])
  expect(window.router.currentRoute.value.params['machine']).toBe('m-train')
})
