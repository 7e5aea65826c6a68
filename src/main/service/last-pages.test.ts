import { expect, it } from 'vitest'
import type { Machine } from '#shared/service/machine'
import { useSandboxClient, must } from '../../../test/fixtures/service-client'
import type { RawAnswer } from './answer'
import { nothing } from './http'
import { createLastPages } from './last-pages'

const client = useSandboxClient()

it('an unchanged page returns the same objects, a changed page returns new ones', async () => {
  const last = createLastPages<Machine>()
  const read = (limit = 5) => client.service.machines.list({ limit, offset: 2 }, undefined, last)
  const first = await read()
  expect(first.items).toHaveLength(5)
  expect(await read()).toBe(first)
  expect((await read(4)).items).toEqual(first.items.slice(0, 4))
  expect(await read()).toBe(first)

  const { id, status } = must(first.items.find((machine) => machine.status === 'running'))
  await client.http.send('GET', `/virtual-machines/${id}/stop`, undefined, nothing)
  const changed = await read()
  expect(changed).not.toBe(first)
  expect(changed.items.find((machine) => machine.id === id)?.status).not.toBe(status)
  expect(changed).toEqual(await client.service.machines.list({ limit: 5, offset: 2 }))
})

it('pages that the last reading requested are kept, refused pages are not', () => {
  const last = createLastPages<{ readonly id: string }>()
  const answer = (status: number, text: string): RawAnswer => ({
    status,
    text,
    contentType: 'application/json',
    retryAfter: null,
    redirectsTo: null,
  })
  const isKnown = (query: string, status = 200): boolean => {
    const expected = last.expect(query)
    const known = expected.isKnown(answer(status, query))
    if (status === 200) expected.page(() => ({ items: [{ id: query }], total: 1 }))
    return known
  }
  for (const query of ['a', 'b', 'c']) isKnown(query)
  last.dropUnrequested()
  last.begin()
  expect(isKnown('a')).toBe(true)
  expect(isKnown('b', 404)).toBe(false)
  last.dropUnrequested()
  last.begin()
  expect(['a', 'b', 'c'].map((query) => isKnown(query))).toEqual([true, false, false])
})
