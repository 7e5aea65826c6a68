import { describe, expect, it } from 'vitest'
import type { Page, PageQuery } from '#shared/service/page'
import { readAll } from './read-all-pages'

interface Item {
  readonly id: string
}
const items = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ id: String(index) }))

const serve =
  (all: readonly Item[], options: { total: boolean; most?: number }) =>
  ({ limit = 10, offset = 0 }: PageQuery): Promise<Page<Item>> =>
    Promise.resolve({
      items: all.slice(offset, offset + Math.min(limit, options.most ?? limit)),
      total: options.total ? all.length : undefined,
    })

describe('reading a whole list', () => {
  it.each([0, 1, 9, 10, 11, 95])('reads all %i items where the total is reported', async (count) => {
    const reading = await readAll(serve(items(count), { total: true }), 10)
    expect(reading.items.map((item) => item.id)).toEqual(items(count).map((item) => item.id))
    expect(reading.total).toBe(count)
  })

  it.each([0, 9, 10, 95])('reads all %i items where it is not', async (count) => {
    const reading = await readAll(serve(items(count), { total: false }), 10)
    expect(reading.items).toHaveLength(count)
    expect(reading.total).toBeNull()
  })

  it('goes on where the service gives fewer than were asked for', async () => {
    expect((await readAll(serve(items(25), { total: true, most: 4 }), 10)).items).toHaveLength(25)
  })

  it('counts an item once that shifted onto the next page', async () => {
    let all = items(12)
    const reading = await readAll((page) => {
      const answer = serve(all, { total: true })(page)
      all = [{ id: 'newest' }, ...all]
      return answer
    }, 10)
    expect(reading.items.map((item) => item.id)).toEqual(items(12).map((item) => item.id))
  })

  it('ends where the service answers the same page for ever', async () => {
    const same = () => Promise.resolve({ items: items(10), total: 1000 })
    expect((await readAll(same, 10)).items).toHaveLength(10)
  })

  it('reports what has come so far', async () => {
    const seen: number[] = []
    await readAll(serve(items(25), { total: true }), 10, (soFar) => seen.push(soFar.items.length))
    expect(seen).toEqual([10, 20])
  })
})
