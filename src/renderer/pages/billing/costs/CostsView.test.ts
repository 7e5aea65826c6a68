// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import type { ResourceCost, ResourceCosts } from '#shared/bridge/cost'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { account, accountView, now, spending } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import CostsView from './CostsView.vue'
import ExpensiveResources from './ExpensiveResources.vue'

let window: Mounted
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 14, 12) })
})
afterEach(() => {
  window.unmount()
  vi.useRealTimers()
})

const cost = (id: string, charged: number, changes: Partial<ResourceCost> = {}): ResourceCost => ({
  resource: {
    id,
    type: 'vm',
    name: id,
    state: 'active',
    flavor: null,
    gpu: 'H100',
    gpuCount: 8,
    region: null,
    createdAt: null,
    terminatedAt: null,
    firstSeen: null,
    lastSeen: null,
  },
  currency: 'USD',
  assumed: false,
  period: { charged, estimated: 0 },
  seconds: 3_600,
  gpuHours: 8,
  perGpuHour: 2_000_000,
  life: 9_000_000,
  perHour: 16_000_000,
  ...changes,
})
const costs = (items: ResourceCost[], count = items.length): ResourceCosts => ({
  account,
  asOf: now,
  history: 'complete',
  items,
  count,
})

describe('the costs of an account', () => {
  const dated = { account, asOf: now, history: 'complete' as const }
  async function open(handlers: Partial<Handlers> = {}) {
    const { seen, on } = emissions('show', 'all')
    window = await mounted(() => h(CostsView, on), {
      'cost.days': () => ({
        ...dated,
        timeZone: 'UTC',
        end: now,
        starts: Float64Array.of(now - 86_400),
        currencies: [],
      }),
      'cost.resources': () => costs([cost('gone-1', 4_000_000)]),
      'cost.gpus': () => ({ ...dated, items: [] }),
      'cost.detachedVolumes': () => ({ ...dated, items: [] }),
      'cost.disagreements': () => ({ ...dated, items: [], compared: 1 }),
      ...handlers,
    })
    return seen
  }
  const inputs = (call: string) =>
    window.main.calls.flatMap(([name, input]) => (name === call ? [input] : []))

  it('are requested for this month by day, and for each chosen split', async () => {
    await open()
    const month = { from: '2026-03-01', until: '2026-04-01' }
    expect(inputs('cost.days')).toEqual([{ account, ...month, unit: 'day', by: 'total', limit: 7 }])
    expect(inputs('cost.resources')).toEqual([{ account, period: month, only: null, limit: null }])
    await window.click(t('billing.costs.chart.splits.gpu'))
    expect(inputs('cost.days').at(-1)).toMatchObject({ ...month, by: 'gpu' })
    const period = window.find(`select[aria-label="${t('billing.costs.period')}"]`)
    if (!(period instanceof HTMLSelectElement)) expect.fail()
    for (const [value, asked] of [
      ['months12', { from: '2025-04-01', until: '2026-04-01', unit: 'month' }],
      ['2025-12-01', { from: '2025-12-01', until: '2026-01-01', unit: 'day' }],
    ] as const) {
      period.value = value
      period.dispatchEvent(new Event('change', { bubbles: true }))
      await window.settled()
      expect(inputs('cost.days').at(-1)).toMatchObject(asked)
    }
  })

  it('open the statements of a resource that no longer exists', async () => {
    const seen = await open()
    await window.click('gone-1')
    expect(seen).toEqual([['show', 'statements', { id: 'gone-1', name: 'gone-1', type: 'vm', ended: false }]])
  })

  it('show one failure and reload everything', async () => {
    let isRefused = true
    await open({
      'cost.gpus': () => {
        if (isRefused) throw new FailureError({ kind: 'offline' })
        return { ...dated, items: [] }
      },
    })
    isRefused = false
    await window.click(t('common.actions.retry'))
    expect(inputs('cost.gpus')).toHaveLength(2)
    expect(window.all('[role=alert]')).toEqual([])
  })

  it('are not shown while signed out', async () => {
    await open({
      'accounts.list': () => ({ accounts: [accountView({ state: 'signed-out' })], selected: account }),
      'cost.spending': () => {
        throw new FailureError({ kind: 'offline' })
      },
    })
    expect(window.text()).toContain(t('billing.signedOut.title', { account: accountView().label }))
    expect(inputs('cost.days')).toEqual([])
  })

  it('are reloaded when the spending changes', async () => {
    await open()
    window.main.emit('cost.changed', { ...spending, asOf: spending.asOf + 60 })
    await window.settled()
    expect(inputs('cost.days')).toHaveLength(2)
    expect(inputs('cost.disagreements')).toHaveLength(2)
  })
})

describe('the most expensive resources', () => {
  const days = { from: '2026-03-01', until: '2026-04-01' }
  async function open(of: ResourceCosts, most = 10) {
    const { seen, on } = emissions('all', 'open')
    window = await mounted(() => h(ExpensiveResources, { costs: of, most, days, ...on }))
    return seen
  }

  it('link to existing resources and to the statements of removed ones', async () => {
    const gone = cost('gone-1', 2_000_000)
    const seen = await open(
      costs([cost('m-train', 4_000_000), { ...gone, resource: { ...gone.resource, state: 'terminated' } }]),
    )
    expect(window.named('m-train').getAttribute('href')).toContain('/machines/m-train')
    await window.click(window.named(/^gone-1/))
    expect(seen).toMatchObject([['open', { resource: { id: 'gone-1' } }]])
    expect(window.text()).toContain(t('billing.costs.resources.gone'))
  })

  it('have bars relative to the highest cost, and no 0.00 for an unknown fee', async () => {
    const unknown = cost('odd', 0, { perHour: null, life: null, perGpuHour: null })
    await open(costs([cost('a', 4_000_000), cost('b', 1_000_000), unknown]))
    expect(window.all('.bar').map((bar) => bar.style.width)).toEqual(['100%', '25%', '0%'])
    expect(window.text()).not.toContain('0.00')
  })

  it('offer the full list only if there are more', async () => {
    const seen = await open(costs([cost('a', 2), cost('b', 1)], 12), 1)
    expect(window.all('.bar')).toHaveLength(1)
    await window.click(t('billing.costs.resources.all', { count: 12 }))
    expect(seen).toEqual([['all']])
    window.unmount()
    await open(costs([cost('a', 2)]))
    expect(window.text()).not.toContain(t('billing.costs.resources.all', { count: 1 }))
  })
})
