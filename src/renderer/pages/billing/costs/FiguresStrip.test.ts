// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { undatedSpending, unpricedSpending, unpricedView } from '../../../../../test/gallery/unknown-costs'
import { spending } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import FiguresStrip from './FiguresStrip.vue'

let window: Mounted
afterEach(() => window.unmount())

it('unknown prices make the figures unknown, and the forecast names the reason', async () => {
  window = await mounted(() => h(FiguresStrip, { spending: unpricedView, costs: unpricedSpending }))
  expect(window.text()).not.toContain('0.00')
  expect(window.text()).toContain(t('billing.costs.figures.unpriced', {}, 2))
})

it('an unknown start makes the past and the forecast unknown, and the forecast names the reason', async () => {
  const view = { ...spending, currencies: [undatedSpending] }
  window = await mounted(() => h(FiguresStrip, { spending: view, costs: undatedSpending }))
  const values = window.all('.value').map((value) => value.textContent?.trim())
  expect(values.slice(1)).toEqual(Array.from({ length: 4 }, () => t('overview.unknown')))
  expect(window.text()).toContain(t('billing.costs.figures.undated', {}, 1))
})
