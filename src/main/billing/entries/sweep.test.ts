import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import type { PageQuery } from '#shared/service/page'
import { sweep } from './sweep'

interface Item {
  readonly id: string
}
const items = (count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }))

/** List of a service with at most `most` entries per page. `asked` runs before each answer. */
const listOf = (
  all: () => readonly Item[],
  most: number,
  asked: (time: number) => void = () => undefined,
) => {
  let times = 0
  return (page: PageQuery) => {
    times += 1
    asked(times)
    const { offset = 0, limit = most } = page
    return Promise.resolve({
      items: all().slice(offset, offset + Math.min(limit, most)),
      total: all().length,
    })
  }
}
const read = async (pages: ReturnType<typeof sweep<Item>>) => {
  const found: string[] = []
  for (;;) {
    const next = await pages.next()
    if (next.done === true) return { found, end: next.value }
    found.push(...next.value.map(({ id }) => id))
  }
}

describe('a sweep over a list', () => {
  it('brings every entry once, in the order of the service, whatever its pages hold at most', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 2, max: 300 }),
        async (count, most) => {
          const all = items(count)
          const { found, end } = await read(
            sweep(
              listOf(() => all, most),
              {},
            ),
          )
          expect(found).toEqual(all.map(({ id }) => id))
          expect(end).toEqual({ entries: count, complete: true })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('loses and doubles nothing while entries come and go in front of what is being read', async () => {
    const step = fc.record({ at: fc.integer({ min: 2, max: 8 }), come: fc.nat(5), go: fc.nat(5) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 3 }), async (steps) => {
        let all = items(900)
        let next = 10_000
        const list = listOf(
          () => all,
          200,
          (time) => {
            for (const { come, go } of steps.filter(({ at }) => at === time)) {
              all = [...items(come, next), ...all.slice(go)]
              next += come
            }
          },
        )
        const { found, end } = await read(sweep(list, {}))
        expect(new Set(found).size).toBe(found.length)
        expect(end.complete).toBe(true)
        // All entries that were there throughout were read. Later ones may be missing.
        const before = new Set(items(900).map(({ id }) => id))
        const stayed = all.map(({ id }) => id).filter((id) => before.has(id))
        expect(stayed.filter((id) => !found.includes(id))).toEqual([])
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('says so where the list never stands still', async () => {
    let all = items(900)
    const list = listOf(
      () => all,
      200,
      () => (all = all.slice(3)),
    )
    expect((await read(sweep(list, {}))).end.complete).toBe(false)
  })

  it('ends at a service that answers the same page for ever, and says that something is missing', async () => {
    const all = items(500)
    const { found, end } = await read(
      sweep(() => Promise.resolve({ items: all.slice(0, 200), total: 500 }), {}),
    )
    expect(found).toHaveLength(200)
    expect(end).toEqual({ entries: 200, complete: false })
  })

  it('does without a total', async () => {
    const all = items(450)
    const list = ({ offset = 0, limit = 200 }: PageQuery) =>
      Promise.resolve({ items: all.slice(offset, offset + limit), total: undefined })
    expect((await read(sweep(list, {}))).end).toEqual({ entries: 450, complete: true })
  })

  it('fails as the service does, and reports the progress until then', async () => {
    const progress: [number, number | null][] = []
    const failure = new FailureError({ kind: 'offline' })
    const list = listOf(
      () => items(500),
      200,
      (time) => {
        if (time === 2) throw failure
      },
    )
    const pages = sweep(
      (page) => Promise.resolve().then(() => list(page)),
      {},
      {
        onProgress: (done, total) => progress.push([done, total]),
      },
    )
    await expect(read(pages)).rejects.toBe(failure)
    expect(progress).toEqual([[200, 500]])
  })
})
