// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, alert, alerts, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AlertBell from './AlertBell.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the number of the bell is the length of its list, and announced to screen readers', async () => {
  const asleep = {
    ...alert('a-2', { kind: 'idle', machine: 'm', name: 'n', cost: null, use: 'cpu-idle' }),
    snoozedUntil: now + 60,
  }
  window = await mounted(() => h(AlertBell), {
    'alerts.list': (input) => (input.account === account ? [...alerts, asleep] : []),
  })
  const bell = window.find('[popovertarget]')
  const list = window.find('[popover]')
  list.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  const rows = () => window.all(`[aria-label="${t('alerts.list.label')}"] > li`).length
  await expect.poll(rows).toBeGreaterThan(0)
  // An idle machine is waste and may have an alert; the stopped machine has none.
  expect(rows()).toBeGreaterThan(alerts.length)
  expect(bell.getAttribute('aria-label')).toBe(t('alerts.bell', {}, rows()))
  expect(bell.textContent.trim()).toBe(String(rows()))
})

it('the panel’s link opens the limits', async () => {
  window = await mounted(() => h(AlertBell), { 'alerts.list': () => [] })
  const list = window.find('[popover]')
  expect(list.textContent).toBe('')
  list.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  await expect.poll(() => list.textContent).toContain(t('alerts.list.settings'))
  await window.click(t('alerts.list.settings'))
  expect(window.router.currentRoute.value.fullPath).toBe('/settings?section=limits&setting=budget')
})
