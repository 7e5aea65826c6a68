import { describe, expect, it } from 'vitest'
import { ResourceCost } from '#shared/bridge/cost'
import { bookOf, charge, dollars, seen, time, usage } from './book.fixture'
import { gpuCosts } from './gpus'
import { resourceCosts } from './resources'

const day = (resource: string, amount: number, more = {}) =>
  charge('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', amount, { resource, ...more })
const now = '2026-07-20T00:00:00Z'
const over = { status: 'terminated', terminated: time('2026-07-02T00:00:00Z') }
const [start, end] = [time('2026-07-01T00:00:00Z'), time('2026-07-04T00:00:00Z')]

describe('what each resource costs', () => {
  it.each([0.25, 1e308])(
    'is a number whatever part of a GPU it has, also in the first second (%d)',
    (gpuCount) => {
      const book = bookOf({ charges: [day('a', 24)], seen: [seen('a', { gpuCount })], now })
      const [cost] = resourceCosts(book, start, start + 1, { all: true, only: null })
      expect(ResourceCost.parse(cost)).toMatchObject({ seconds: 1, perGpuHour: null })
      expect(gpuCosts(cost ? [cost] : [])).toMatchObject([{ perGpuHour: null }])
    },
  )

  it('counts hours only for charges above zero; a refund reduces the sum', () => {
    const refund = charge('2026-07-01T00:00:00Z', '2026-07-03T00:00:00Z', -6, { resource: 'a' })
    const free = charge('2026-07-02T00:00:00Z', '2026-07-04T00:00:00Z', 0, { resource: 'a' })
    const book = bookOf({ charges: [day('a', 24), refund, free], seen: [seen('a')], now })
    expect(resourceCosts(book, start, end, { all: true, only: null })).toMatchObject([
      { period: { charged: dollars(18), estimated: 0 }, seconds: 24 * 3600, gpuHours: 24 },
    ])
  })

  it('is what the period cost, beside what usage says of its life, and never both together', () => {
    const book = bookOf({
      charges: [day('a', 24)],
      usage: [
        usage({ resource: 'a', life: dollars(100), created: time('2026-06-01T00:00:00Z') }),
        usage({
          resource: 'b',
          life: dollars(70),
          created: time('2026-05-01T00:00:00Z'),
          ...over,
          minutes: 1,
        }),
      ],
      seen: [seen('a', { gpuCount: 2 })],
      now: '2026-07-02T01:00:00Z',
    })
    const costs = resourceCosts(book, start, end, { all: true, only: null })
    expect(costs).toMatchObject(
      [
        {
          resource: { id: 'b', state: 'terminated', gpu: null, terminatedAt: over.terminated },
          life: dollars(70),
          perHour: 0,
          gpuHours: null,
          perGpuHour: null,
        },
        {
          resource: { id: 'a', state: 'active', gpu: 'H100', gpuCount: 2 },
          period: { charged: dollars(24), estimated: dollars(0.6) },
          seconds: 25 * 3600,
          gpuHours: 50,
          perGpuHour: dollars(24.6 / 50),
          life: dollars(100),
          perHour: dollars(0.6),
        },
      ].toSorted((left, right) => (left.resource.id < right.resource.id ? -1 : 1)),
    )
  })

  it('has not cost less in all time than in a part of it, where usage is older than the charges', () => {
    const book = bookOf({
      charges: [day('a', 24)],
      usage: [usage({ resource: 'a', life: dollars(7), ...over })],
      now,
    })
    const [cost] = resourceCosts(book, start, end, { all: true, only: null })
    expect(cost).toMatchObject({ period: { charged: dollars(24) }, life: dollars(24) })
  })

  it('leaves out what cost nothing then and does not run, unless all are asked for', () => {
    const book = bookOf({
      charges: [charge('2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z', 1, { resource: 'old' }), day('a', 1)],
      usage: [usage({ resource: 'old', ...over, terminated: time('2026-06-02T00:00:00Z') })],
      now,
    })
    const ids = (all: boolean) =>
      resourceCosts(book, start, end, { all, only: null }).map(({ resource }) => resource.id)
    expect(ids(false)).toEqual(['a'])
    expect(
      resourceCosts(book, -Infinity, Infinity, { all: true, only: new Set(['old']) }).map(
        ({ resource }) => resource.id,
      ),
    ).toEqual(['old'])
  })

  it('counts an hour once, however many statements there are for it', () => {
    const book = bookOf({ charges: [day('a', 1), day('a', 2)], seen: [seen('a')], now })
    expect(resourceCosts(book, start, end, { all: false, only: null })).toMatchObject([
      { period: { charged: dollars(3) }, gpuHours: 24, perGpuHour: dollars(0.125) },
    ])
  })

  it('has no cost per hour where no fee is reported', () => {
    const book = bookOf({ charges: [day('a', 1)], usage: [usage({ resource: 'a', perMinute: null })], now })
    expect(resourceCosts(book, start, end, { all: false, only: null })[0]?.perHour).toBeNull()
  })
})

describe('the cost per GPU-hour', () => {
  it('is that of the machines whose GPUs are known', () => {
    const book = bookOf({
      charges: [day('a', 24), day('b', 72), day('c', 5), day('v', 9, { type: 'volume' })],
      seen: [seen('a'), seen('b', { gpuCount: 2 })],
      now,
    })
    const costs = gpuCosts(resourceCosts(book, start, end, { all: false, only: null }))
    expect(costs).toMatchObject([
      { share: { name: 'H100' }, cost: { charged: dollars(96) }, gpuHours: 72, perGpuHour: 1_333_333 },
      { share: { kind: 'unknown' }, cost: { charged: dollars(5) }, gpuHours: null, perGpuHour: null },
    ])
  })
})
