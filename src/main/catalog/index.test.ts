import { describe, expect, it } from 'vitest'
import type { AccountId } from '#shared/bridge/account'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { createEmitter } from '#shared/emitter'
import { createCatalog } from './index'
import type { DecidedCurrency } from '../billing/account-currency'
import { createPrices } from './prices'

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const clock = fakeClock(1_000_000)
  const catalog = createCatalog({
    accounts: harness.accounts,
    clock,
  })
  await control(sandbox, 'DELETE', '/requests')
  return { sandbox, account, clock, catalog }
}

describe('the catalog of an account', () => {
  it('lists flavors with their region, their stock and an exact price per hour', async () => {
    const { catalog, account } = await open()
    const { items, asOf } = await catalog.flavors({ account, kind: 'machine' })
    expect(asOf).toBe(1_000_000)
    const h100 = items.find(({ name, region }) => name === 'h100-80g.2x' && region.id === 'eu-north-1')
    expect(h100).toMatchObject({
      region: { id: 'eu-north-1', name: 'Oslo' },
      price: { currency: 'USD', millionths: 4_980_000 },
      gpu: 'NVIDIA H100 80GB SXM',
      gpuCount: 2,
      ephemeral: 1500,
      inStock: true,
      cycle: 'hourly',
    })
    expect(items.some(({ inStock }) => inStock === false)).toBe(true)
  })

  it('prices flavors in the currency of the account, and marks an assumed one', async () => {
    const { catalog, account } = await open()
    let known: DecidedCurrency = { currency: 'USD', assumed: true }
    const learns = createEmitter<AccountId>()
    const prices = createPrices({ catalog, currencyOf: () => known, onChange: learns.on })
    const ask = async () => {
      const { items, currencyAssumed } = await prices.handlers['catalog.flavors']({
        account,
        kind: 'machine',
      })
      return { currencies: new Set(items.map(({ price }) => price?.currency)), currencyAssumed }
    }
    expect(await ask()).toEqual({ currencies: new Set(['USD']), currencyAssumed: true })
    const pushed: unknown[] = []
    prices.events['catalog.currencyChanged']((change) => pushed.push(change))
    learns.emit(account)
    known = { currency: 'EUR', assumed: false }
    for (let time = 0; time < 2; time += 1) learns.emit(account)
    expect(pushed).toEqual([{ account, currency: 'EUR', currencyAssumed: false }])
    expect(await ask()).toEqual({ currencies: new Set(['EUR']), currencyAssumed: false })
  })

  it('remembers nothing of an account that is removed while its prices are read', async () => {
    const { catalog, account } = await open()
    let currency = 'USD'
    const learns = createEmitter<AccountId>()
    const currencyOf = () => ({ currency, assumed: false })
    const prices = createPrices({ catalog, currencyOf, onChange: learns.on })
    const pushed: unknown[] = []
    prices.events['catalog.currencyChanged']((change) => pushed.push(change))
    const asked = prices.handlers['catalog.flavors']({ account, kind: 'machine' })
    prices.forgetAccount(account)
    await asked
    currency = 'EUR'
    learns.emit(account)
    expect(pushed).toEqual([])
  })

  it('keeps bare metal apart from machines', async () => {
    const { catalog, account, sandbox } = await open()
    const { items } = await catalog.flavors({ account, kind: 'bare-metal' })
    expect(items.every(({ name, ephemeral }) => name.startsWith('bm-') && ephemeral === null)).toBe(true)
    await catalog.images({ account, kind: 'bare-metal' })
    expect(await requestsTo(sandbox)).toEqual(['GET /bare-metal/flavors 200', 'GET /bare-metal/images 200'])
  })

  it('sends one request per minute for all callers, and another on request', async () => {
    const { catalog, account, clock, sandbox } = await open()
    const ask = (fresh = false) => catalog.images({ account, kind: 'machine', fresh })
    await Promise.all([ask(), ask(), ask()])
    clock.set(clock.now() + 59)
    await ask()
    expect(await requestsTo(sandbox)).toHaveLength(1)
    clock.set(clock.now() + 1)
    await ask()
    expect(await requestsTo(sandbox)).toHaveLength(2)
    await ask(true)
    expect(await requestsTo(sandbox)).toHaveLength(3)
  })

  it('does not cache a failure', async () => {
    const { catalog, account, sandbox } = await open()
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: '/images' })
    await expect(catalog.images({ account, kind: 'machine' })).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', status: 500 },
    })
    await expect(catalog.images({ account, kind: 'machine' })).resolves.toBeDefined()
  })

  it('passes the region to the service', async () => {
    const { catalog, account } = await open()
    const { items } = await catalog.images({ account, kind: 'machine', region: 'eu-west-1' })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ region }) => region.id === 'eu-west-1')).toBe(true)
  })

  it('counts the offers of regions, which the service lists', async () => {
    const { catalog, account } = await open()
    const { items } = await catalog.regions({ account, kind: 'machine' })
    expect(items.map(({ name }) => name)).toEqual(['Oslo', 'Paris', 'Singapore', 'Texas', 'Virginia'])
    expect(items.find(({ id }) => id === 'eu-north-1')).toMatchObject({
      description: 'Norway, hydropower',
      images: 5,
    })
    expect(items.find(({ name }) => name === 'Texas')).toMatchObject({ flavors: 0, images: 0 })
  })

  it('names the regions of flavors and images if the service lists none', async () => {
    const { catalog, account, sandbox } = await open()
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 404, path: '/regions' })
    const { items } = await catalog.regions({ account, kind: 'machine' })
    expect(items.map(({ name }) => name)).toEqual(['Oslo', 'Paris', 'Singapore', 'Virginia'])
    expect(items.every(({ flavors, images }) => flavors > 0 && images > 0)).toBe(true)
  })

  it('requests the regions again after a failure', async () => {
    const { catalog, account, sandbox } = await open()
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 503, path: '/regions' })
    const names = async () => {
      const { items } = await catalog.regions({ account, kind: 'machine' })
      return items.map(({ name }) => name)
    }
    expect(await names()).not.toContain('Texas')
    expect(await names()).toContain('Texas')
  })

  it('reports why the service’s regions could not be read, unless it has no such list', async () => {
    const { catalog, account, sandbox } = await open()
    const failure = async (status: number) => {
      await control(sandbox, 'POST', '/faults', { kind: 'status', status, path: '/regions' })
      return (await catalog.regions({ account, kind: 'machine' })).failure
    }
    expect(await failure(500)).toMatchObject({ kind: 'refused-by-service', status: 500 })
    expect(await failure(404)).toBeUndefined()
  })
})
