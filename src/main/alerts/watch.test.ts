import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, describe, it, onTestFinished } from 'vitest'
import type { Alert, AlertLimits } from '#shared/bridge/alert'
import type { SpendingView } from '#shared/bridge/cost'
import { control } from '../../../test/fixtures/account-harness'
import { openSpending } from '../../../test/fixtures/spending-harness'
import { createBalances } from '../balance/index'
import { createCapabilities } from '../capabilities/index'
import { createFleet } from '../fleet/index'
import { openSettings } from '../store/settings'
import { createAlerts } from './index'
import { machineCosts } from './machine-costs'
import { watchMoney } from './watch'

const hour = 3_600
const none: AlertLimits = { budget: null, perHour: null, runningHours: null, balanceDays: null }

/** Opens one account of a sandbox, watched without a window on a fake clock. */
async function watched() {
  const bench = await openSpending(() => ({}))
  const { accounts, account, spending, sandbox, pass, clock } = bench
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-watch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  onTestFinished(() => settings.close())
  const notified: Alert[] = []
  const report = (action: string, error: unknown): void => {
    throw new Error(action, { cause: error })
  }
  const deps = { accounts, settings, documents: settings, clock, online: () => true, report }
  const fleet = createFleet(deps)
  const capabilities = createCapabilities(deps)
  const balances = createBalances({ ...deps, capabilities })
  const alerts = createAlerts({ ...deps, notify: (_, begun) => notified.push(...begun) })
  await alerts.handlers['alerts.setLimits']({ account, limits: none })
  const costsOf = machineCosts(spending, report)
  const priced: string[] = []
  let pastKnown = true
  let changed = (view: SpendingView): SpendingView => view
  const watch = watchMoney({
    ...deps,
    alerts,
    balances,
    capabilities,
    fleet,
    spending: {
      ...spending,
      view: (id) => {
        const view = spending.view(id)
        return view && changed(view)
      },
    },
    costsOf: (id, machines) => {
      priced.push(...machines)
      return costsOf(id, machines)
    },
    pastKnown: () => pastKnown,
  })
  onTestFinished(async () => {
    for (const module of [watch, alerts, balances, fleet, capabilities]) module.close()
  })
  return {
    ...bench,
    notified,
    /** Machines whose costs were requested. */
    priced,
    alerts,
    balances,
    kinds: () => notified.map(({ cause }) => cause.kind),
    setLimits: (limits: Partial<AlertLimits>) =>
      alerts.handlers['alerts.setLimits']({ account, limits: { ...none, ...limits } }),
    forgetPast: () => (pastKnown = false),
    /** Replaces the spending that the module sees. */
    see: (change: typeof changed) => (changed = change),
    /** Reads everything again. */
    async look() {
      await pass(60)
      await spending.refresh(account)
      await fleet.handlers['fleet.refresh']({ account })
      clock.advance(0)
    },
    remove: (id: string) => control(sandbox, 'DELETE', `/resources/${id}`),
    usd: (millionths: number) => ({ currency: 'USD', millionths }),
  }
}

describe('an account that is watched', () => {
  it('notifies once about a machine that runs too long, with its cost, and again for another machine', async () => {
    const { setLimits, look, pass, notified, alerts, account, remove } = await watched()
    await setLimits({ runningHours: 8_000 })
    await look()
    expect(notified).toEqual([])
    await pass(8_000 * hour)
    await look()
    await expect.poll(() => notified.length).toBeGreaterThan(0)
    const [first] = notified
    if (first?.cause.kind !== 'long-running') throw new Error('a machine runs too long')
    expect(first.cause.perHour?.millionths).toBeGreaterThan(0)
    expect(first.cause.cost?.millionths).toBeGreaterThan((first.cause.perHour?.millionths ?? 0) * 7_999)
    const count = notified.length
    await pass(hour)
    await look()
    expect(notified).toHaveLength(count)

    const { machine } = first.cause
    await remove(machine)
    await look()
    await expect
      .poll(() => alerts.list(account).some(({ cause }) => 'machine' in cause && cause.machine === machine))
      .toBe(false)
    expect(notified).toHaveLength(count)
  })

  it('ignores old readings', async () => {
    const { setLimits, view, look, pass, kinds, notified, priced, usd } = await watched()
    await look()
    const [dollars] = (await view()).currencies
    await pass(8_000 * hour)
    await setLimits({ runningHours: 8_000, perHour: usd((dollars?.perHour ?? 0) - 1) })
    expect([notified, priced]).toEqual([[], []])
    await look()
    await expect.poll(kinds).toContain('long-running')
    expect(kinds()).toContain('hourly-limit')
  })

  it('notifies about a forecast over the budget, a spent budget, and an exceeded limit per hour', async () => {
    const { setLimits, view, look, kinds, alerts, account, usd } = await watched()
    const [dollars] = (await view()).currencies
    if (!dollars) throw new Error('the sandbox charges dollars')
    const month = dollars.month.charged + dollars.month.estimated
    await setLimits({ budget: usd(dollars.forecast.total + 1_000_000) })
    await look()
    expect(kinds()).toEqual([])
    await setLimits({ budget: usd(Math.ceil((month + dollars.forecast.total) / 2)) })
    expect(kinds()).toEqual(['budget-forecast'])
    await setLimits({ budget: usd(month), perHour: usd(dollars.perHour - 1) })
    expect(kinds()).toEqual(['budget-forecast', 'budget-reached', 'hourly-limit'])
    expect(
      alerts
        .list(account)
        .map(({ cause }) => cause.kind)
        .sort(),
    ).toEqual(['budget-reached', 'hourly-limit'])
    await setLimits({ perHour: usd(dollars.perHour) })
    expect(alerts.list(account)).toEqual([])
  })

  it('ends no budget alert while the past cannot be read', async () => {
    const { setLimits, view, kinds, alerts, account, usd, forgetPast, look, remove, books } = await watched()
    const [dollars] = (await view()).currencies
    if (!dollars) throw new Error('the sandbox charges dollars')
    await setLimits({ budget: usd(dollars.forecast.total - 1_000_000) })
    expect(kinds()).toEqual(['budget-forecast'])
    forgetPast()
    for (const one of (await books()).resources)
      if (one.terminated_time === null) await remove(one.resource_id)
    await look()
    expect((await view()).currencies[0]?.perHour).toBe(0)
    expect(alerts.list(account)).toHaveLength(1)
  })

  it('does not notify again about a spent budget after the past was unknown for a while', async () => {
    const { setLimits, view, kinds, alerts, account, usd, see, look } = await watched()
    const [dollars] = (await view()).currencies
    if (!dollars) throw new Error('the sandbox charges dollars')
    await setLimits({ budget: usd(dollars.month.charged + dollars.month.estimated) })
    expect(kinds()).toEqual(['budget-reached'])
    see((view) => ({
      ...view,
      history: 'partial',
      currencies: view.currencies.map((one) => ({ ...one, month: { charged: 0, estimated: 0 } })),
    }))
    await look()
    expect(alerts.list(account).map(({ cause }) => cause.kind)).toEqual(['budget-reached'])
    see((view) => view)
    await look()
    expect(kinds()).toEqual(['budget-reached'])
  })

  it('notifies about a balance that runs out, if the service reports balances', async () => {
    const { setLimits, look, notified, alerts, account, balances } = await watched()
    await expect.poll(() => balances.read(account)).not.toBeNull()
    await setLimits({ balanceDays: 3 })
    await look()
    expect(notified).toMatchObject([{ cause: { kind: 'balance-low', days: 3 } }])
    await setLimits({ balanceDays: null })
    expect(alerts.list(account)).toEqual([])
  })
})
