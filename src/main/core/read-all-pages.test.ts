import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { createResumingReader, readAll } from './read-all-pages'

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
  it.each([0, 1, 9, 10, 11, 95])('reads all %i items with a reported total', async (count) => {
    const reading = await readAll(serve(items(count), { total: true }), 10)
    expect(reading.items.map((item) => item.id)).toEqual(items(count).map((item) => item.id))
    expect(reading.total).toBe(count)
  })

  it.each([0, 9, 10, 95])('reads all %i items without a total', async (count) => {
    const reading = await readAll(serve(items(count), { total: false }), 10)
    expect(reading.items).toHaveLength(count)
    expect(reading.total).toBeNull()
  })

  it('continues if the service returns fewer records than requested', async () => {
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

  it('ends if the service returns the same page forever', async () => {
    const same = () => Promise.resolve({ items: items(10), total: 1000 })
    expect((await readAll(same, 10)).items).toHaveLength(10)
  })

  it('loses nothing if a page repeats up to three times before the next one', async () => {
    const all = items(14)
    // Each bit: whether a request is answered with the previous page.
    const patterns = Array.from({ length: 2 ** 10 }, (_, bits) => bits).filter(
      (bits) => !bits.toString(2).includes('1111'),
    )
    for (const total of [undefined, all.length])
      for (const bits of patterns) {
        let asked = 0
        let last: Item[] = []
        const repeating = ({ offset = 0 }: PageQuery) => {
          const isRepeated = offset > 0 && ((bits >> asked++) & 1) === 1
          if (!isRepeated) last = all.slice(Math.max(0, offset - 2), offset + 4)
          return Promise.resolve({ items: last, total })
        }
        const reading = await readAll(repeating, 10)
        expect({ bits, count: reading.items.length }).toEqual({ bits, count: 14 })
        expect(reading.complete).toBe(true)
      }
  })

  it('reports its progress', async () => {
    const seen: number[] = []
    await readAll(serve(items(25), { total: true }), 10, (soFar) => seen.push(soFar.items.length))
    expect(seen).toEqual([10, 20])
  })

  it('loses nothing if the total is too small, and is complete only if the total is right', async () => {
    const all = items(25)
    const lying = (total: number) => (query: PageQuery) =>
      serve(all, { total: false, most: 5 })(query).then((page) => ({ ...page, total }))
    for (const total of [0, 5, 23, 28]) {
      const reading = await readAll(lying(total), 10)
      expect(reading.items).toHaveLength(25)
      expect(reading.complete).toBe(false)
    }
    expect((await readAll(lying(25), 10)).complete).toBe(true)
    expect((await readAll(serve(all, { total: false }), 10)).complete).toBe(true)
  })

  it('neither loses nor doubles records if pages overlap and repeat', async () => {
    const all = items(23)
    let requests = 0
    let before: Page<Item> | undefined
    const reading = await readAll(async ({ limit = 10, offset = 0 }) => {
      requests += 1
      if (before && requests % 3 === 0) return before
      const from = Math.max(0, offset - 2)
      before = { items: all.slice(from, from + limit), total: 23 }
      return before
    }, 5)
    expect(reading.items.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(reading.complete).toBe(true)
  })

  it('counts each unreadable record once and continues after it', async () => {
    const odd = { index: 1, id: null, text: '{"name":null}' }
    const reading = await readAll(async ({ offset = 0 }) => {
      if (offset === 0) return { items: items(2), unreadable: [odd], total: 5 }
      return { items: offset === 3 ? [{ id: '3' }, { id: '4' }] : [], total: 5 }
    }, 3)
    expect(reading).toMatchObject({ unreadable: [odd], complete: true })
    expect(reading.items.map(({ id }) => id)).toEqual(['0', '1', '3', '4'])
  })

  it('stops at a limit if the list never ends', async () => {
    let count = 0
    const endless = async (): Promise<Page<Item>> => ({
      items: Array.from({ length: 1_000 }, () => ({ id: String((count += 1)) })),
      total: undefined,
    })
    expect((await readAll(endless, 1_000)).complete).toBe(false)
  })
})

describe('a reading that a requested pause interrupts', () => {
  const interrupting = () => {
    const whole = serve(items(30), { total: true })
    const asked: number[] = []
    const list = (query: PageQuery): Promise<Page<Item>> => {
      asked.push(query.offset ?? 0)
      return asked.length % 3 === 0
        ? Promise.reject(new FailureError({ kind: 'rate-limited', retryAfter: 1 }))
        : whole(query)
    }
    return { list, asked }
  }

  it('resumes and ends, however often it is interrupted', async () => {
    const { list, asked } = interrupting()
    const reader = createResumingReader<Item>(() => 1_000)
    const seen: number[] = []
    const read = () => reader.read(list, 10, (soFar) => seen.push(soFar.items.length))
    await expect(read()).rejects.toBeInstanceOf(FailureError)
    const reading = await read()
    expect(reading.items).toHaveLength(30)
    expect(reading.complete).toBe(true)
    expect(asked).toEqual([0, 10, 20, 20, 30])
    expect(seen).toEqual([10, 20])
  })

  it('starts from the beginning if it was forgotten in between', async () => {
    const { list, asked } = interrupting()
    const reader = createResumingReader<Item>(() => 1_000)
    const reading = reader.read(list, 10)
    reader.forget()
    await expect(reading).rejects.toBeInstanceOf(FailureError)
    await expect(reader.read(list, 10)).rejects.toBeInstanceOf(FailureError)
    expect(asked).toEqual([0, 10, 20, 0, 10, 20])
  })

  it('starts from the beginning after a minute', async () => {
    let now = 1_000
    const { list, asked } = interrupting()
    const reader = createResumingReader<Item>(() => now)
    await expect(reader.read(list, 10)).rejects.toBeInstanceOf(FailureError)
    now += 61
    await expect(reader.read(list, 10)).rejects.toBeInstanceOf(FailureError)
    expect(asked).toEqual([0, 10, 20, 0, 10, 20])
  })
})
