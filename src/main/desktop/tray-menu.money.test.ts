import { describe, expect, it } from 'vitest'
import type { SpendingView } from '#shared/bridge/cost'
import type { WasteItem } from '#shared/bridge/waste'
import { wasteTotals } from '#shared/money/waste'
import { both, fleetOf, menuOf, words } from '../../../test/fixtures/tray-menu'
import { createTrayFacts } from './tray-facts'
import { ownPerHour } from './tray-menu'

describe("money in the tray's menu", () => {
  it('shows the waste of each account, which opens the overview', () => {
    const usd = (dollars: number) => ({ currency: 'USD', millionths: dollars * 1_000_000 })
    const item: WasteItem = {
      id: 'v',
      name: 'backup',
      reason: { kind: 'detached' },
      end: 'delete-volume',
      perHour: usd(11.2),
      perMonth: usd(8_064),
      soFar: usd(4_180),
    }
    const read = { read: true, failure: null }
    const menu = menuOf(both, [fleetOf('lab', []), fleetOf('uni', [])], {
      waste: (id) =>
        id === 'lab'
          ? {
              account: id,
              items: [item],
              unchecked: [],
              totals: [...wasteTotals([item])],
              ended: [],
              ...read,
            }
          : { account: id, items: [], unchecked: [], totals: [], ended: [], ...read },
    })
    expect(menu[1]).toEqual({
      label: 'Waste: 11.20 USD/h, 4,180.00 USD so far',
      action: { kind: 'show', destination: { page: 'overview', account: 'lab' } },
    })
    expect(JSON.stringify(menu).match(/Waste/g)).toHaveLength(1)
  })

  it('shows the known load and costs of each machine', async () => {
    const facts = createTrayFacts({
      costsOf: () =>
        Promise.resolve(
          new Map([
            [
              'id-gpu',
              {
                perHour: { currency: 'USD', millionths: 1_380_000 },
                cost: { currency: 'USD', millionths: 212_200_000 },
              },
            ],
            ['id-cpu', { perHour: null, cost: null }],
          ]),
        ),
      gpus: (_account, machine) =>
        machine === 'id-gpu' ? [{ utilization: 90 }, { utilization: 97 }, { utilization: 'error' }] : [],
      cpu: (_account, machine) => (machine === 'id-new' ? null : 12.4),
      end: () => undefined,
      now: () => 0,
    })
    await facts.read('lab', ['id-gpu', 'id-cpu', 'id-new'])
    const fleet = fleetOf('lab', [
      ['cpu', 'running'],
      ['gpu', 'running'],
      ['new', 'running'],
    ])
    const menu = menuOf(both, [fleet], { factsOf: facts.of })
    expect(words(menu).slice(1, 4)).toEqual([
      'cpu (running) · CPU 12%',
      'gpu (running) · GPU 94% · 1.38 USD/h · 212.20 USD so far',
      'new (running)',
    ])
  })

  const spends = (id: string, perHour: Readonly<Record<string, number>>, sandbox = false): SpendingView => ({
    account: id,
    sandbox,
    asOf: 0,
    timeZone: 'UTC',
    todayStart: 0,
    monthStart: 0,
    monthEnd: 0,
    history: 'complete',
    usageAsOf: 0,
    failure: null,
    running: { machines: 0, bareMetal: 0, volumes: 0, others: 0 },
    currencies: Object.entries(perHour).map(([currency, dollars]) => ({
      currency,
      assumed: false,
      perHour: dollars * 1_000_000,
      today: { charged: 0, estimated: 0 },
      month: { charged: 0, estimated: 0 },
      lastMonth: { charged: 0, estimated: 0 },
      forecast: { total: 0, rest: 0, running: 0, perHour: 0, unpriced: 0, undated: 0 },
    })),
  })
  const lab = spends('lab', { USD: 14.8, EUR: 2 })
  const uni = spends('uni', { USD: 1 })
  const sandbox = spends('box', { USD: 99 }, true)

  it('shows the spending per hour of each account in its own currencies', () => {
    const menu = menuOf(both, [fleetOf('lab', [['alpha', 'running']])], {
      spending: [lab, spends('uni', { USD: 0 })],
    })
    expect(words(menu).filter((item) => typeof item === 'string')).toEqual([
      'research-lab · 1 running · 14.80 USD/h + 2.00 EUR/h',
      'alpha (running)',
      '---',
      'university',
      'No machines',
      '---',
      'Open Wheelhouse',
      'Quit',
    ])
  })

  it('sums own accounts by currency without the sandbox', () => {
    expect(ownPerHour([lab, sandbox, uni])).toBe('15.80 USD/h + 2.00 EUR/h')
    expect(ownPerHour([sandbox])).toBe('')
    expect(ownPerHour([{ ...uni, usageAsOf: null }])).toBe('')
  })
})
