// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { AlertLimits } from '#shared/bridge/alert'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import LimitsSection from './LimitsSection.vue'

let window: Mounted
let kept: AlertLimits
afterEach(() => window.unmount())

const shown = ref(true)
const open = async () => {
  shown.value = true
  window = await mounted(() => (shown.value ? h(LimitsSection) : null), {
    'alerts.limits': () => kept,
    'alerts.setLimits': ({ limits }) => (kept = limits),
  })
}
const none: AlertLimits = { budget: null, perHour: null, runningHours: null, balanceDays: null }
const budget = () => window.field(t('alerts.limits.budget'))
const sent = () => window.main.calls.filter(([name]) => name === 'alerts.setLimits').length

it('a field is saved when it loses the focus, and only once', async () => {
  kept = none
  await open()
  await window.type(budget(), '1200')
  expect(kept.budget).toBeNull()
  await window.leave(budget())
  expect(kept).toEqual({ ...none, budget: { currency: 'USD', millionths: 1_200_000_000 } })
  await window.leave(budget())
  await window.submit()
  expect([sent(), budget().value]).toEqual([1, '1200'])
})

it('an invalid field stays a draft, and valid fields are saved', async () => {
  kept = none
  await open()
  await window.type(budget(), 'much')
  await window.leave(budget())
  await window.type(window.field(t('alerts.limits.runningHours')), '8')
  await window.leave(window.field(t('alerts.limits.runningHours')))
  expect(kept).toEqual({ ...none, runningHours: 8 })
  shown.value = false
  await window.settled()
  shown.value = true
  await window.settled()
  expect([budget().value, window.field(t('alerts.limits.runningHours')).value]).toEqual(['much', '8'])
  expect(window.text()).toContain(t('alerts.limits.wrong.money'))
})

it('an ambiguous amount is saved after the user confirms its interpretation', async () => {
  kept = none
  await open()
  await window.type(budget(), '1,250')
  await window.leave(budget())
  expect(kept.budget).toBeNull()
  expect(window.text()).toContain(t('alerts.limits.understood', { amount: '1,250.00 USD' }))
  await window.click(t('alerts.limits.use', { amount: '1,250.00 USD' }))
  await window.settled()
  expect(kept.budget).toEqual({ currency: 'USD', millionths: 1_250_000_000 })
  expect(budget().value).toBe('1250')
})
