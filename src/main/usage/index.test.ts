import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import type { Usage } from '#shared/service/billing'
import type { Page, PageQuery } from '#shared/service/page'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { clientWith } from '../../../test/fixtures/service-client'
import { createUsage } from './index'

const account = 'abcdefghijkl'
const minute = 60
const entry = (place: number, status: string): Usage => ({
  id: `u${String(place)}`,
  resource: { id: `r${String(place)}`, type: 'volume' },
  created_time: place,
  status,
})

/** Number of requests of a reading: its pages of 1,000, and an empty page. */
const activeRead = 2
const wholeRead = 4

const entries = 2_500
const activeAtFirst = 25

/** Service with a history of 2,500 entries. Every hundredth is active. */
const begin = ({ filters }: { readonly filters: boolean | 'refused' }) => {
  let history = Array.from({ length: entries }, (_, place) =>
    entry(place, place % 100 === 0 ? 'active' : 'terminated'),
  )
  const asked: PageQuery[] = []
  const page = (query: PageQuery): Promise<Page<Usage>> => {
    asked.push(query)
    if (filters === 'refused' && query.filters)
      return Promise.reject(
        new FailureError({ kind: 'refused-by-service', status: 400, message: 'Bad Request' }),
      )
    const { limit = 20, offset = 0 } = query
    const rows = history
      .filter(({ status }) => !filters || !query.filters || status === 'active')
      .toSorted((one, other) => (other.created_time ?? 0) - (one.created_time ?? 0))
    return Promise.resolve({ items: rows.slice(offset, offset + limit), total: rows.length })
  }
  const { service } = clientWith('http://127.0.0.1:1', {})
  const clock = fakeClock()
  const usage = createUsage({
    accounts: { service: () => ({ ...service, billing: { ...service.billing, usage: page } }) },
    clock,
  })
  const read = (everything = false) => usage.read(account, { everything, expected: () => true })
  return {
    usage,
    clock,
    read,
    /** Returns the number of requests since the last call. */
    requests: () => asked.splice(0).length,
    add: (place: number) => (history = [...history, entry(place, 'active')]),
    end: (id: string) =>
      (history = history.map((one) => (one.id === id ? { ...one, status: 'terminated' } : one))),
  }
}
const active = (items: readonly Usage[]) => items.filter(({ status }) => status === 'active').length

describe('the usage of an account', () => {
  it('is read once for all who ask at about the same time', async () => {
    const { clock, read, requests } = begin({ filters: true })
    const [one, other] = await Promise.all([read(), read()])
    clock.advance(29)
    expect(new Set([one, other, await read()].map(({ revision }) => revision)).size).toBe(1)
    expect([requests(), one.items.length, one.complete]).toEqual([activeRead, activeAtFirst, true])
    clock.advance(1)
    expect((await read()).revision).not.toBe(one.revision)
    expect(requests()).toBe(activeRead)
  })

  it('is read anew where something was changed here', async () => {
    const { usage, read, requests } = begin({ filters: true })
    await read()
    usage.expire(account)
    await read()
    expect(requests()).toBe(2 * activeRead)
  })

  it.each([true, false])(
    'is read anew where something was changed during the reading (%s)',
    async (filters) => {
      const { usage, read, end } = begin({ filters })
      const under = read()
      await Promise.resolve()
      end('u0')
      usage.expire(account)
      await under
      expect(active((await read()).items)).toBe(activeAtFirst - 1)
    },
  )

  it('is read whole once, and then at its head, where the service ignores the filter', async () => {
    const { clock, read, requests, add } = begin({ filters: false })
    expect(active((await read()).items)).toBe(activeAtFirst)
    expect(requests()).toBe(wholeRead)
    for (let passed = 1; passed < 15; passed += 1) {
      clock.advance(minute)
      add(entries + passed)
      const { items, complete } = await read()
      expect([active(items), items.length, complete]).toEqual([
        activeAtFirst + passed,
        entries + passed,
        true,
      ])
      expect(requests()).toBe(1)
    }
  })

  it('is read without the filter from then on, where the service refuses it', async () => {
    const { clock, read, requests, add } = begin({ filters: 'refused' })
    expect(active((await read()).items)).toBe(activeAtFirst)
    expect(requests()).toBe(1 + wholeRead)
    clock.advance(minute)
    add(entries + 1)
    expect(active((await read()).items)).toBe(activeAtFirst + 1)
    expect(requests()).toBe(1)
  })

  it('shows within 15 minutes that something old has ended, where the service ignores the filter', async () => {
    const { clock, read, end } = begin({ filters: false })
    await read()
    end('u0')
    clock.advance(minute)
    expect(active((await read()).items)).toBe(activeAtFirst)
    clock.advance(14 * minute)
    expect(active((await read()).items)).toBe(activeAtFirst - 1)
  })

  it('is followed by what is active where all of it is wanted', async () => {
    const { clock, read, requests, add, end } = begin({ filters: true })
    expect((await read(true)).items).toHaveLength(entries)
    requests()
    clock.advance(minute)
    add(entries + 1)
    expect((await read(true)).items).toHaveLength(entries + 1)
    expect(requests()).toBe(activeRead)
    clock.advance(minute)
    end('u0')
    expect(active((await read(true)).items)).toBe(activeAtFirst)
  })

  it('is not taken from the future by a clock that was set back', async () => {
    const { clock, read, requests } = begin({ filters: true })
    await read()
    clock.set(clock.now() - 3_600)
    await read()
    expect(requests()).toBe(2 * activeRead)
  })
})
