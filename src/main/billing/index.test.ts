import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addDays, calendarIn } from '#shared/money/calendar'
import type { Money } from '#shared/money/money'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { must } from '../../../test/fixtures/service-client'
import { balanceAlerts, budgetAlerts, rateAlerts } from '../alerts/money-alerts'
import { createBareMetal } from '../bare-metal/index'
import { createFleet } from '../fleet/index'
import { openSettings } from '../store/settings'
import { createVolumes } from '../volumes/index'
import { noLedger } from '../../../test/fixtures/no-ledger'
import { booksOf } from '../../../test/fixtures/spending-harness'
import { createCosts } from './index'
import { createUsage } from '../usage/index'

/** Costs of an account of a sandbox, with its real machines and volumes. */
async function open(balance: readonly Money[] = []) {
  const sandbox = await runSandbox()
  await control(sandbox, 'POST', '/clock', { held: true })
  const harness = await setUp()
  const { id: account } = await connectWithToken(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-costs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  const { accounts } = harness
  const time = (await booksOf(sandbox)).now
  const report = (action: string, error: unknown): void => {
    throw new Error(action, { cause: error })
  }
  const common = {
    accounts,
    settings,
    documents: settings,
    clock: fakeClock(time),
    online: () => true,
    report,
  }
  const usage = createUsage(common)
  const fleet = createFleet(common)
  const bareMetal = createBareMetal(common)
  const volumes = createVolumes({
    ...common,
    usage,
    extensions: {
      mayList: () => true,
      list: (id, page) => accounts.service(id).volumes.list(page),
      types: (id, region) => accounts.service(id).volumeTypes.list(region),
      remove: (id, volume) => accounts.service(id).volumes.remove(volume),
    },
    regions: () => Promise.resolve([]),
  })
  const costs = createCosts({
    ...common,
    ...noLedger,
    balances: { read: () => ({ available: [...balance], asOf: time }), onChange: () => () => undefined },
    usage,
    fleet,
    bareMetal,
    volumes,
    timeZone: () => 'Asia/Tokyo',
  })
  await Promise.all([
    fleet.handlers['fleet.refresh']({ account }),
    volumes.handlers['volumes.refresh']({ account }),
    costs.spending.refresh(account),
  ])
  onTestFinished(async () => {
    await costs.spending.refresh(account)
    costs.close()
    fleet.close()
    volumes.close()
    bareMetal.close()
    await settings.close()
  })
  const today = calendarIn('Asia/Tokyo').dateAt(time)
  return { sandbox, account, costs, fleet, volumes, time, today }
}

describe('costs', () => {
  it('know the GPU and the region of every machine that is seen', async () => {
    const { account, costs, fleet } = await open()
    const { items } = await costs.handlers['cost.resources']({
      account,
      period: null,
      only: null,
      limit: null,
    })
    const machines = must(fleet.snapshot(account)).machines
    for (const { id, name, flavor, region } of machines)
      expect(items.find(({ resource }) => resource.id === id)?.resource, id).toMatchObject({
        name,
        type: 'vm',
        gpu: flavor.gpu,
        gpuCount: flavor.gpuCount,
        region,
      })
    const ended = items.filter(({ resource }) => resource.state === 'terminated' && resource.type === 'vm')
    expect(ended.length).toBeGreaterThan(0)
    // Properties of a resource that was gone before it was seen stay unknown.
    expect(new Set(ended.map(({ resource }) => resource.gpu))).toEqual(new Set([null]))
  })

  it('add up to the same by day, by month, by resource and by GPU', async () => {
    const { account, costs, today } = await open()
    const from = addDays(today, -100)
    const until = addDays(today, 1)
    const total = async (unit: 'day' | 'month', by: 'total' | 'resource' | 'type' | 'gpu' | 'region') => {
      const { currencies } = await costs.handlers['cost.days']({ account, from, until, unit, by, limit: 5 })
      return must(currencies[0]).series.reduce((sum, series) => sum + series.total, 0)
    }
    const all = await total('day', 'total')
    expect(all).toBeGreaterThan(0)
    for (const by of ['resource', 'type', 'gpu', 'region'] as const)
      for (const unit of ['day', 'month'] as const) expect(await total(unit, by), `${unit} ${by}`).toBe(all)
    const { items } = await costs.handlers['cost.resources']({
      account,
      period: { from, until },
      only: null,
      limit: null,
    })
    expect(items.reduce((sum, { period }) => sum + period.charged + period.estimated, 0)).toBe(all)
  })

  it('give each day of the person the time that it has there', async () => {
    const { account, costs, today, time } = await open()
    const days = await costs.handlers['cost.days']({
      account,
      from: addDays(today, -1),
      until: addDays(today, 2),
      unit: 'day',
      by: 'total',
      limit: 1,
    })
    expect(days).toMatchObject({ timeZone: 'Asia/Tokyo', history: 'none' })
    const [, started, tomorrow] = days.starts
    expect([must(started) % 86_400, must(tomorrow) - must(started)]).toEqual([15 * 3600, 86_400])
    expect(must(started) <= time && time < must(tomorrow)).toBe(true)
    expect(must(must(days.currencies[0]).series[0]).estimated[2]).toBe(0)
  })

  it('give the cost of an hour of a GPU, by model', async () => {
    const { account, costs, today } = await open()
    const period = { from: addDays(today, -7), until: addDays(today, 1) }
    const { items } = await costs.handlers['cost.gpus']({ account, period })
    const known = items.filter(({ share }) => share.kind === 'named')
    expect(known.length).toBeGreaterThan(1)
    for (const { cost, gpuHours, perGpuHour } of known) {
      const exact = (cost.charged + cost.estimated) / must(gpuHours)
      expect(Math.abs(must(perGpuHour) - exact)).toBeLessThanOrEqual(1)
    }
  })

  it('find the volumes that are attached to nothing, with what they cost', async () => {
    const { sandbox, account, costs, volumes } = await open()
    const { volumes: all } = await volumes.handlers['volumes.snapshot']({ account })
    const { items } = await costs.handlers['cost.detachedVolumes']({ account })
    const detached = all.filter(({ attachment }) => attachment.kind === 'detached').map(({ id }) => id)
    expect(detached.length).toBeGreaterThan(0)
    expect(items.map(({ volume }) => volume).toSorted()).toEqual(detached.toSorted())
    const books = await booksOf(sandbox)
    for (const { volume, life, perHour } of items) {
      const { fee, per_minute } = must(books.resources.find(({ resource_id }) => resource_id === volume))
      expect([life, perHour]).toEqual([fee, per_minute * 60])
    }
  })

  it('ask the service at once when a machine is no more', async () => {
    const { sandbox, account, costs, fleet } = await open()
    const { id } = must(must(fleet.snapshot(account)).machines[0])
    const before = costs.spending.view(account)?.running.machines
    await control(sandbox, 'DELETE', `/resources/${id}`)
    await fleet.handlers['fleet.refresh']({ account })
    await expect.poll(() => costs.spending.view(account)?.running.machines).toBe(must(before) - 1)
  })

  it('are in the currency of the balance if no answer carries one, so that limits in it are checked', async () => {
    const euros = (amount: number) => ({ currency: 'EUR', millionths: amount * 1_000_000 })
    const { account, costs } = await open([euros(500)])
    const view = must(costs.spending.view(account))
    expect(view.currencies.map(({ currency, assumed }) => [currency, assumed])).toEqual([['EUR', true]])
    expect(costs.currencies.decide(account)).toEqual({ currency: 'EUR', assumed: false })
    const limits = { budget: euros(1), perHour: euros(1), runningHours: null, balanceDays: 366 }
    expect(rateAlerts(view, limits)).toHaveLength(1)
    expect(budgetAlerts(view, limits, () => false)).toHaveLength(1)
    expect(balanceAlerts({ available: [euros(500)], asOf: 0 }, view, limits)).toHaveLength(1)
  })

  it('fail where the account or the period makes no sense', async () => {
    const { account, costs, today } = await open()
    const input = { from: today, until: today, unit: 'day', by: 'total', limit: 1 } as const
    await expect(costs.handlers['cost.days']({ account, ...input })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'until' },
    })
    await expect(
      costs.handlers['cost.resources']({ account: 'nobody000000', period: null, only: null, limit: null }),
    ).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'account' } })
  })

  it('keep nothing of an account that is forgotten', async () => {
    const { account, costs } = await open()
    await costs.handlers['cost.setCurrency']({ account, currency: 'EUR' })
    expect(costs.spending.view(account)?.currencies[0]?.currency).toBe('EUR')
    await costs.forgetAccount(account)
    expect(costs.history.all(account)).toEqual([])
    expect(costs.currencies.setting(account).chosen).toBe(false)
  })
})
