// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { ArmedTerms } from '#shared/bridge/creation'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { now, usd } from '../../../../test/gallery/world'
import { localMoment, momentOf } from '../../components/local-moment'
import { t } from '../../platform/i18n'
import ArmDialog from './ArmDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (changes: object = {}) => {
  const runs: ArmedTerms[] = []
  const events: string[] = []
  window = await mounted(
    () =>
      h(ArmDialog, {
        title: 'Wait',
        action: 'Go',
        currency: 'USD',
        flavor: { price: usd(2.5), gpuCount: 8 },
        terms: null,
        run: async (terms: ArmedTerms) => void runs.push(terms),
        onDone: () => events.push('done'),
        ...changes,
      }),
    {},
  )
  return { runs, events }
}
const amount = () => window.find('input[type=text]')
const until = () => window.find('input[type=datetime-local]')
const submitButton = () => window.find('button[type=submit]')

it('starts with the price of the form and the end of tomorrow, and offers the price that is compared', async () => {
  const { runs, events } = await open()
  expect(amount()).toHaveProperty('value', '2.5')
  expect(window.text()).toContain(t('armedCreations.dialog.tooLow', { total: '20.00 USD' }))
  expect(window.text()).toContain(
    t('armedCreations.dialog.perGpu', { count: '8', price: '2.50 USD', total: '20.00 USD' }),
  )
  await window.click(t('armedCreations.dialog.allow', { total: '20.00 USD' }))
  expect(window.text()).not.toContain(t('armedCreations.dialog.tooLow', { total: '20.00 USD' }))
  await window.submit()
  expect(events).toEqual(['done'])
  expect(runs[0]?.cap).toEqual(usd(20))
  expect(runs[0]?.expiresAt).toBeGreaterThan(now + 86_400)
})

it('accepts no price of 0 and no time in the past or after a year', async () => {
  const { runs } = await open()
  await window.type(amount(), '0')
  expect(window.text()).toContain(t('armedCreations.dialog.invalidCap'))
  expect(submitButton()).toHaveProperty('disabled', true)
  await window.type(amount(), '4.25')
  for (const at of [now - 120, now + 400 * 86_400]) {
    await window.type(until(), localMoment(at))
    expect(window.text()).toContain(t('armedCreations.dialog.invalidUntil'))
    expect(submitButton()).toHaveProperty('disabled', true)
  }
  const end = localMoment(now + 7_200)
  await window.type(until(), end)
  await window.submit()
  expect(runs).toEqual([{ cap: usd(4.25), expiresAt: momentOf(end) }])
})

it('keeps the typed terms and shows the reason if it cannot be saved', async () => {
  const { events } = await open({
    run: () => Promise.reject(new FailureError({ kind: 'disk-full' })),
  })
  await window.type(amount(), '3')
  await window.submit()
  expect(events).toEqual([])
  expect(amount()).toHaveProperty('value', '3')
  expect(window.text()).toContain(t('failures.disk-full.title'))
})

it('shows the terms so far, and that an unlisted price creates nothing', async () => {
  const expiresAt = Math.floor((now + 10_000) / 60) * 60
  await open({ terms: { cap: usd(7.5), expiresAt }, flavor: { price: null, gpuCount: 8 } })
  expect(amount()).toHaveProperty('value', '7.5')
  expect(until()).toHaveProperty('value', localMoment(expiresAt))
  expect(window.text()).toContain(t('armedCreations.dialog.unpriced'))
})

it('warns if the currency of the cap is assumed', async () => {
  await open()
  expect(window.text()).not.toContain(t('armedCreations.dialog.assumed', { currency: 'USD' }))
  window.unmount()
  await open({ isCurrencyAssumed: true })
  expect(window.text()).toContain(t('armedCreations.dialog.assumed', { currency: 'USD' }))
})
