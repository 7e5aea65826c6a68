// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, alert, alerts, notification, now, wasteView } from '../../../../test/gallery/world'
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

it('new notifications count until the panel is closed, and are listed afterwards', async () => {
  let entries = [notification('n-2'), notification('n-1'), notification('n-0', { isNew: false })]
  window = await mounted(() => h(AlertBell), {
    'alerts.list': () => [],
    'waste.list': ({ account: id }) => wasteView([], id),
    'notifications.history': () => entries,
    'notifications.markSeen': () => {
      entries = entries.map((entry) => ({ ...entry, isNew: false }))
      window.main.emit('notifications.changed', { entries })
    },
    'notifications.clear': () => window.main.emit('notifications.changed', { entries: [] }),
  })
  const bell = window.find('[popovertarget]')
  const list = window.find('[popover]')
  const toggle = (newState: string) => {
    list.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }))
    return window.settled()
  }
  expect(bell.getAttribute('aria-label')).toBe(t('alerts.bell', {}, 2))
  await toggle('open')
  const fresh = () => window.all(`[aria-label="${t('notifications.history.fresh')}"] > li`).length
  await expect.poll(fresh).toBe(2)
  await toggle('closed')
  expect(bell.getAttribute('aria-label')).toBe(t('alerts.bell', {}, 0))
  await toggle('open')
  expect(fresh()).toBe(0)
  const earlier = t('notifications.history.earlier', { count: 3 })
  await window.click(earlier)
  expect(window.all(`[aria-label="${earlier}"] > li`)).toHaveLength(3)
  await window.click(t('notifications.history.showNamed', { title: entries[0]?.title ?? '' }))
  expect(window.router.currentRoute.value.fullPath).toBe('/machines/m-train')
  await window.click(t('notifications.history.clear'))
  expect(list.textContent).not.toContain(entries[0]?.title)
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
