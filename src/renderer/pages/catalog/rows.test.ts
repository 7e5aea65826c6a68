import { describe, expect, it } from 'vitest'
import type { FlavorView } from '#shared/bridge/catalog'
import { expectSafe } from '../../../../test/gallery/hostile-text'
import { columnsThatFit } from '../../components/grid-columns'
import { rowFilter, sortedBy } from '../../components/rows'
import { flavorColumns } from './columns'
import { catalogRows, flavorRow, type FlavorKey, inRegion, regionText } from './rows'

const oslo = { id: 'eu-north-1', name: 'Oslo' }
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  id: name,
  name,
  region: oslo,
  price: { currency: 'USD', millionths: 10_000_000 },
  cpu: 8,
  ram: 64,
  disk: 100,
  ephemeral: null,
  gpu: 'NVIDIA H100',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly',
  ...changes,
})
const rows = [
  flavor('eight', { gpuCount: 8, price: { currency: 'USD', millionths: 16_000_000 } }),
  flavor('one', { inStock: false }),
  flavor('three', { gpuCount: 3 }),
  flavor('cpu', { gpu: null, gpuCount: 0, inStock: null }),
].map(flavorRow)
const names = (key: FlavorKey, descending = false) =>
  sortedBy(rows, catalogRows, { key, descending }).map((row) => catalogRows.nameOf(row))

describe('the catalog', () => {
  it('is sorted by the price per GPU, flavors without a GPU last', () => {
    expect(names('pricePerGpu')).toEqual(['eight', 'three', 'one', 'cpu'])
    expect(names('pricePerGpu', true)).toEqual(['one', 'three', 'eight', 'cpu'])
  })

  it('divides a price exactly to the millionth', () => {
    expect(rows[2]?.pricePerGpu).toEqual({ currency: 'USD', millionths: 3_333_333 })
  })

  it('shows no price per GPU for a fraction of a GPU', () => {
    const part = flavorRow(flavor('part', { gpuCount: 0.5 }))
    expect([part.flavor.name, part.pricePerGpu]).toEqual(['part', null])
  })

  it('sorts flavors in stock first and unknown stock last', () => {
    expect(names('stock')).toEqual(['eight', 'three', 'one', 'cpu'])
  })

  it('filters by name, GPU, count and region', () => {
    const found = (text: string) => rowFilter(rows, catalogRows)(text).map((row) => catalogRows.nameOf(row))
    expect(found('h100 8x')).toEqual(['eight'])
    expect(found('oslo')).toHaveLength(4)
    expect(found('oslo h200')).toEqual([])
  })

  it('shows the region column in a window of 900 pixels', () => {
    const keys = columnsThatFit(flavorColumns('machine'), 688).map(({ key }) => key)
    expect(keys).toEqual(['name', 'gpu', 'region', 'price', 'stock'])
  })

  it('distinguishes the same flavor in two regions', () => {
    const there = flavorRow(flavor('one', { region: { id: 'us-east-1', name: 'Virginia' } }))
    expect(there.id).not.toBe(rows[1]?.id)
    // Half of a surrogate pair has no encoding in a URL.
    expect(flavorRow(flavor('\uD800')).id).not.toBe(flavorRow(flavor('\uD801')).id)
  })

  it('keeps entries with an unknown region in each region', () => {
    const all = [flavor('here'), flavor('nowhere', { region: { id: null, name: null } })]
    expect(inRegion(all, oslo)).toHaveLength(2)
    expect(inRegion(all, { id: 'us-east-1', name: 'Virginia' }).map(({ name }) => name)).toEqual(['nowhere'])
    expect(inRegion(all, null)).toHaveLength(2)
  })
})

it('a hostile name of a region is made safe', () => {
  expect.hasAssertions()
  expectSafe((name) => regionText({ id: null, name }))
})
