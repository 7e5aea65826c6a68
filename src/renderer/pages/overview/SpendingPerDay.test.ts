// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { CostDays } from '#shared/bridge/cost'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import SpendingPerDay from './SpendingPerDay.vue'

let window: Mounted
afterEach(() => window.unmount())
const assumed = t('overview.assumed', { currency: 'USD' })

it('an assumed currency is named below the chart', async () => {
  const days = (isAssumed: boolean): CostDays => ({
    account,
    timeZone: 'UTC',
    asOf: 1,
    history: 'complete',
    starts: Float64Array.of(1_700_000_000),
    end: 1_700_086_400,
    currencies: [{ currency: 'USD', assumed: isAssumed, series: [] }],
  })
  for (const isAssumed of [true, false]) {
    window = await mounted(() => h(SpendingPerDay), { 'cost.days': () => days(isAssumed) })
    expect(window.text().includes(assumed)).toBe(isAssumed)
    if (isAssumed) window.unmount()
  }
})
