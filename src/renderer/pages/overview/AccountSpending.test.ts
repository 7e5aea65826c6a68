// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { SpendingView } from '#shared/bridge/cost'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { undatedSpending, unpricedView } from '../../../../test/gallery/unknown-costs'
import { accountView, spending } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AccountSpending from './AccountSpending.vue'

let window: Mounted
afterEach(() => window.unmount())
const open = async (view: SpendingView) => {
  window = await mounted(() => h(AccountSpending, { account: accountView() }), {
    'cost.spending': () => view,
    'alerts.limits': () => ({ budget: null, perHour: null, runningHours: null, balanceDays: null }),
  })
}

it('resources with unknown prices are counted, and no amount is 0.00', async () => {
  await open(unpricedView)
  expect(window.text()).not.toContain('0.00')
  expect(window.all('.value').map((value) => value.textContent)).toEqual(
    Array.from({ length: 4 }, () => t('overview.unknown')),
  )
  expect(window.text()).toContain(t('overview.now.unpriced', {}, 2))
})

it('resources with an unknown start are counted, and no amount is 0.00', async () => {
  await open({ ...spending, currencies: [undatedSpending] })
  expect(window.text()).not.toContain('0.00')
  expect(window.text()).toContain(t('overview.now.undated', {}, 1))
})
