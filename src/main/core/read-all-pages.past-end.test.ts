import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { readAll } from './read-all-pages'
import { readRange } from './read-range'

const all = Array.from({ length: 25 }, (_, index) => ({ id: String(index) }))

/** A list that rejects offsets past its end, or from `until` on, with this status. */
const refusing =
  (status: number, total: number | undefined, { until = all.length, field = '' } = {}) =>
  async ({ limit = 10, offset = 0 }: PageQuery): Promise<Page<{ id: string }>> => {
    if (offset < until) return { items: all.slice(offset, Math.min(until, offset + limit)), total }
    throw new FailureError({ kind: 'refused-by-service', message: 'no', status, ...(field && { field }) })
  }

describe('a service that rejects a page past the end of a list', () => {
  it.each([
    [404, 25],
    [416, undefined],
    [404, 28],
    [400, 25],
    [422, 23],
    [200, 25],
  ])('gave the whole list: %i records, total %s', async (status, total) => {
    for (const field of ['', 'offset']) {
      const reading = await readAll(refusing(status, total, { field }), 10)
      expect(reading.items).toHaveLength(25)
      expect(reading.complete).toBe(total === undefined || total === 25)
    }
    const range = { offset: 20, limit: 10 }
    expect((await readRange(refusing(status, total), range)).items).toHaveLength(5)
  })

  it.each([
    [400, 25, {}],
    [400, undefined, {}],
    [503, 20, {}],
    [404, 20, { field: 'filters' }],
  ])(
    'failed if more records exist or the rejection has another cause: %i records, total %s',
    async (status, total, how) => {
      const list = refusing(status, total, { until: 20, ...how })
      await expect(readAll(list, 10)).rejects.toMatchObject({ failure: { status } })
    },
  )

  it('failed if it rejects the first page', async () => {
    await expect(readAll(refusing(404, 25, { until: 0 }), 10)).rejects.toThrow()
  })
})
