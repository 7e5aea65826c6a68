// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { ResourceCost, SpendingView } from '#shared/bridge/cost'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { account, accountView, now, sandboxAccount, spending, wasteView } from '../../../test/gallery/world'
import SpendingPill from '../app/shell/SpendingPill.vue'
import ResourceCosts from '../features/cost/ResourceCosts.vue'
import { axisMoney, periodCost } from '../features/cost/cost-text'
import { t } from '../platform/i18n'
import FiguresStrip from './billing/costs/FiguresStrip.vue'
import AccountSpending from './overview/AccountSpending.vue'
import OverviewPage from './overview/OverviewPage.vue'

let window: Mounted
afterEach(() => window.unmount())

const zero = { charged: 0, estimated: 0 }
const unknown = {
  currency: 'USD',
  assumed: true,
  perHour: 0,
  today: zero,
  month: zero,
  lastMonth: zero,
  forecast: { total: 0, rest: 0, running: 2, perHour: 0, unpriced: 2, undated: 0 },
}
const view: SpendingView = { ...spending, history: 'partial', currencies: [unknown] }
const item: ResourceCost = {
  resource: {
    id: 'm-1',
    type: 'vm',
    name: 'm-1',
    state: 'active',
    flavor: null,
    gpu: null,
    gpuCount: null,
    region: null,
    createdAt: null,
    terminatedAt: null,
    firstSeen: null,
    lastSeen: null,
  },
  currency: 'USD',
  assumed: false,
  period: zero,
  seconds: 0,
  gpuHours: null,
  perGpuHour: null,
  life: null,
  perHour: null,
}

describe('what runs at an unknown price', () => {
  it('is unknown on the overview and never 0.00, and counted', async () => {
    window = await mounted(() => h(AccountSpending, { account: accountView() }), {
      'cost.spending': () => view,
      'alerts.limits': () => ({ budget: null, perHour: null, runningHours: null, balanceDays: null }),
    })
    expect(window.text()).not.toContain('0.00')
    expect(window.all('.value').map((one) => one.textContent)).toEqual(
      Array.from({ length: 4 }, () => t('overview.unknown')),
    )
    expect(window.text()).toContain(t('overview.now.unpriced', {}, 2))
  })

  it('shows no rate in the top bar', async () => {
    window = await mounted(() => h(SpendingPill), { 'cost.spending': () => view })
    expect(window.all('.pill')).toEqual([])
  })

  it('is unknown in the figures of billing, and their forecast says why', async () => {
    window = await mounted(() => h(FiguresStrip, { spending: view, one: unknown }))
    expect(window.text()).not.toContain('0.00')
    expect(window.text()).toContain(t('billing.costs.figures.unpriced', {}, 2))
  })

  it('is unknown in the costs of a resource', async () => {
    window = await mounted(() => h(ResourceCosts, { account, resource: 'm-1' }), {
      'cost.resources': () => ({ account, asOf: now, history: 'complete', items: [item], count: 1 }),
      'cost.days': () => ({
        account,
        asOf: now,
        timeZone: 'UTC',
        history: 'complete',
        end: now,
        currencies: [],
        starts: Float64Array.of(now - 86_400),
      }),
    })
    expect(window.text()).not.toContain('0.00')
    expect(periodCost(item)).toBeNull()
    expect(periodCost({ ...item, perHour: 0 })).toBe(0)
    // A tiny value has its digits at the axis.
    expect([0, 0.002, 1_200].map(axisMoney)).toEqual(['0', '0.002', '1,200'])
  })
})

describe('a resource that runs since an unknown time', () => {
  const one = {
    ...unknown,
    perHour: 6_000_000,
    forecast: { ...unknown.forecast, total: 9_000_000, unpriced: 0, undated: 1 },
  }

  it('makes the past and the forecast unknown, which say why', async () => {
    const spent: SpendingView = { ...spending, currencies: [one] }
    window = await mounted(() => h(FiguresStrip, { spending: spent, one }))
    expect(
      window
        .all('.value')
        .map((value) => value.textContent?.trim())
        .slice(1),
    ).toEqual(Array.from({ length: 4 }, () => t('overview.unknown')))
    expect(window.text()).toContain(t('billing.costs.figures.undated', {}, 1))
    window.unmount()
    window = await mounted(() => h(AccountSpending, { account: accountView() }), {
      'cost.spending': () => spent,
      'alerts.limits': () => ({ budget: null, perHour: null, runningHours: null, balanceDays: null }),
    })
    expect(window.text()).not.toContain('0.00')
    expect(window.text()).toContain(t('overview.now.undated', {}, 1))
  })

  it('has an unknown cost of its own', () => {
    expect(periodCost({ ...item, perHour: 6_000_000 })).toBeNull()
    expect(periodCost({ ...item, perHour: 6_000_000, resource: { ...item.resource, createdAt: now } })).toBe(
      0,
    )
  })
})

it('the overview says once that no currency is reported, and whose', async () => {
  const assumed = (isAssumed: boolean): SpendingView => ({
    ...view,
    currencies: [{ ...unknown, assumed: isAssumed }],
  })
  const open = (accounts: readonly string[]) =>
    mounted(() => h(OverviewPage), {
      'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: account }),
      'cost.spending': (input) => ({ ...assumed(accounts.includes(input.account)), account: input.account }),
      'waste.list': (input) => wasteView([], input.account),
      'cost.days': () => ({
        account,
        asOf: now,
        timeZone: 'UTC',
        history: 'complete',
        end: now,
        starts: Float64Array.of(now - 86_400),
        currencies: [{ currency: 'USD', assumed: true, series: [] }],
      }),
    })
  const remarks = () => window.text().match(/Currency not reported[^.]*\./g)
  window = await open([account, sandboxAccount.id])
  expect(remarks()).toEqual([t('overview.assumed', { currency: 'USD' })])
  window.unmount()
  window = await open([account])
  expect(remarks()).toEqual([t('overview.assumedOf', { accounts: accountView().label, currency: 'USD' })])
})

it('what limits the figures stands beside the account’s name: nothing below it moves as it goes', async () => {
  window = await mounted(() => h(OverviewPage), {
    'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: account }),
    'cost.spending': (input) => ({ ...view, history: 'partial', account: input.account }),
    'waste.list': (input) => wasteView([], input.account),
  })
  const said = window.all('p').filter((one) => one.textContent?.includes(t('overview.partial')))
  expect(said.map((one) => one.parentElement?.className)).toEqual(['whose', 'whose'])
})
