// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, alert, alerts, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AlertBell from './AlertBell.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the bell counts the awake alerts and announces them to screen readers', async () => {
  const asleep = {
    ...alert('a-2', { kind: 'idle', machine: 'm', name: 'n', cost: null, use: 'cpu-idle' }),
    snoozedUntil: now + 60,
  }
  window = await mounted(() => h(AlertBell), {
    'alerts.list': (input) => (input.account === account ? [...alerts, asleep] : []),
  })
  const bell = window.find('[popovertarget]')
  expect(bell.getAttribute('aria-label')).toBe(t('alerts.bell', {}, alerts.length))
  expect(bell.textContent.trim()).toBe(String(alerts.length))
})

it('the panel’s link opens the limits', async () => {
  window = await mounted(() => h(AlertBell), { 'alerts.list': () => [] })
  const list = window.find('[popover]')
  expect(list.textContent).toBe('')
  list.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  await expect.poll(() => list.textContent).toContain(t('alerts.list.settings'))
  await window.click(t('alerts.list.settings'))
  expect(window.router.currentRoute.value.fullPath).toBe('/settings#limits')
})
