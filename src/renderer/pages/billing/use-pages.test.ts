import { describe, expect, it, vi } from 'vitest'
import { effectScope, nextTick, shallowRef } from 'vue'
import { FailureError } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'
import { usePages } from './use-pages'

type Part = { items: string[]; total: number | null }

/** A list of `count` entries of each query; the test releases its answers. */
function open(count: number, options: { total?: boolean } = {}) {
  const query = shallowRef<string | null>('all')
  const asked: { query: string; offset: number; answer(): void; fail(): void }[] = []
  const scope = effectScope()
  const pages = scope.run(() =>
    usePages(
      query,
      (of: string, offset: number, limit: number) =>
        new Promise<Part>((resolve, reject) =>
          asked.push({
            query: of,
            offset,
            answer: () =>
              resolve({
                items: Array.from(
                  { length: Math.max(0, Math.min(limit, count - offset)) },
                  (_, index) => `${of} ${String(offset + index)}`,
                ),
                total: options.total === false ? null : count,
              }),
            fail: () => reject(new FailureError({ kind: 'offline' })),
          }),
        ),
      0,
    ),
  )
  if (!pages) throw new Error('the scope runs')
  return { query, asked, pages, entryAt: (index: number) => pages.rows.value[index]?.entry ?? null }
}
const settled = async (): Promise<void> => {
  await nextTick()
  await Promise.resolve()
  await Promise.resolve()
}

describe('a long list of the service', () => {
  it('has a row for every entry and loads only the pages in view', async () => {
    vi.useFakeTimers()
    const { asked, pages, entryAt } = open(1_000)
    asked[0]?.answer()
    await settled()
    expect(pages.rows.value).toHaveLength(1_000)
    expect([entryAt(0), entryAt(99), entryAt(100)]).toEqual(['all 0', 'all 99', null])
    // Scrolled past, then in view.
    pages.look(250)
    pages.lookAway(250)
    pages.look(730)
    vi.runAllTimers()
    expect(asked.map(({ offset }) => offset)).toEqual([0, 700])
    asked[1]?.answer()
    await settled()
    expect([entryAt(730), entryAt(250)]).toEqual(['all 730', null])
    vi.useRealTimers()
  })

  it('has no row for an unreadable record, but counts it', async () => {
    vi.useFakeTimers()
    const query = shallowRef('all')
    const oddAt: Readonly<Record<number, number>> = { 0: 2, 100: 1 }
    const pages = effectScope().run(() =>
      usePages(
        query,
        (_: string, offset: number, limit: number) => {
          const count = oddAt[offset] ?? 0
          return Promise.resolve({
            items: Array.from({ length: Math.min(limit, 250 - offset) - count }, (__, at) => offset + at),
            total: 250,
            ...(count > 0 && { unreadable: { count, text: `odd of ${String(offset)}` } }),
          })
        },
        0,
      ),
    )
    if (!pages) expect.fail()
    await settled()
    // An unread page has rows for all its possible entries.
    expect(pages.rows.value).toHaveLength(98 + 100 + 50)
    pages.look(pages.rows.value[98]?.index ?? 0)
    vi.runAllTimers()
    await settled()
    expect(pages.rows.value).toHaveLength(98 + 99 + 50)
    expect(pages.rows.value.slice(0, 197).filter(({ entry }) => entry === null)).toEqual([])
    expect(pages.rows.value[98]?.entry).toBe(100)
    expect(pages.unreadable.value).toEqual({ count: 3, text: 'odd of 0\nodd of 100' })
    expect(pages.count.value).toBe(250)
    vi.useRealTimers()
  })

  it.each([10_000_000, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'limits its rows if the reported total is %d',
    async (total) => {
      const query = shallowRef('all')
      const read = (_: string, offset: number) =>
        Promise.resolve({ items: offset === 0 ? ['a', 'b', 'c'] : [], total })
      const pages = effectScope().run(() => usePages(query, read, 0))
      if (!pages) expect.fail()
      await settled()
      expect(pages.count.value).toBe(total)
      expect(pages.rows.value.length).toBeLessThanOrEqual(100_100)
      expect(pages.rows.value.slice(0, 4).map(({ entry }) => entry)).toEqual(['a', 'b', 'c', null])
    },
  )

  it('starts over with another query and ignores late answers', async () => {
    const { asked, query, pages, entryAt } = open(3)
    query.value = 'some'
    await settled()
    asked[1]?.answer()
    await settled()
    asked[0]?.answer()
    await settled()
    expect(pages.rows.value.map(({ entry }) => entry)).toEqual(['some 0', 'some 1', 'some 2'])
    expect(entryAt(0)).toBe('some 0')
  })

  it('continues after full pages if no total is reported', async () => {
    const { asked, pages } = open(pageSizes.entriesInView, { total: false })
    asked[0]?.answer()
    await settled()
    expect(pages.count.value).toBe(2 * pageSizes.entriesInView)
  })

  it('keeps its rows after a failed refresh and reports the failure', async () => {
    const { asked, pages, entryAt } = open(3)
    asked[0]?.answer()
    await settled()
    const refreshed = pages.refresh()
    asked[1]?.fail()
    await refreshed
    expect(pages.failure.value).toEqual({ kind: 'offline' })
    expect(entryAt(1)).toBe('all 1')
  })
})
