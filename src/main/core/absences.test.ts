import { describe, expect, it } from 'vitest'
import type { Failure } from '#shared/failure'
import { createAbsences, presenceAfter } from './absences'

const refused = (status: number): Failure => ({ kind: 'refused-by-service', message: 'no', status })
const page = (status: number): Failure => ({
  kind: 'unexpected-answer',
  expected: 'a JSON answer of the service',
  received: `HTTP ${String(status)}, text/html`,
  status,
})

describe('presence of a resource after its detail request failed', () => {
  it.each([refused(401), refused(403), refused(408), refused(500), refused(503), page(503), page(200)])(
    'is unknown if no request reached the service (%o)',
    (failure) => expect(presenceAfter(failure)).toBe('silent'),
  )

  it.each<Failure>([
    { kind: 'offline' },
    { kind: 'rate-limited' },
    { kind: 'not-signed-in', reason: 'expired' },
    { kind: 'unexpected-answer', expected: 'an answer of the service', received: 'a redirect' },
  ])('is unknown if no answer concerned the resource (%o)', (failure) =>
    expect(presenceAfter(failure)).toBe('silent'),
  )

  it("is absent only in the service's own words; other answers leave it to the lists", () => {
    expect([404, 410].map((status) => presenceAfter(refused(status)))).toEqual(['absent', 'absent'])
    expect([refused(200), refused(400), page(404)].map(presenceAfter)).toEqual(
      Array.from({ length: 3 }, () => 'maybe-absent'),
    )
  })
})

describe('lists that lack a known resource', () => {
  const complete = { complete: true, unreadable: [] }

  it('prove that it is gone once two complete lists in a row lack it', () => {
    const absences = createAbsences()
    expect([...absences.take(['a', 'b'], complete)]).toEqual([])
    expect([...absences.take(['a'], complete)]).toEqual(['a'])
    expect([...absences.take(['a', 'b'], complete)]).toEqual(['a'])
  })

  it('prove nothing while they are incomplete, or hold a record with an unreadable id', () => {
    const absences = createAbsences()
    const nameless = { complete: true, unreadable: [{ index: 0, id: null, text: '{}' }] }
    for (const list of [{ ...complete, complete: false }, nameless, nameless])
      expect([...absences.take(['a'], list)]).toEqual([])
    expect([...absences.take(['a'], complete)]).toEqual([])
    expect([...absences.take(['a'], complete)]).toEqual(['a'])
  })

  it('count as complete once their totals were off by the same number three times in a row', () => {
    const absences = createAbsences()
    const odd = (excess: number) => ({ complete: false, unreadable: [], excess })
    expect([1, 1].map((excess) => [...absences.take([], odd(excess))])).toEqual([[], []])
    expect([...absences.take(['a'], odd(1))]).toEqual([])
    expect([...absences.take(['a'], odd(1))]).toEqual(['a'])
    // A new difference proves nothing yet, nor does a list that was not read to its end.
    expect([...absences.take(['a', 'b'], odd(2))]).toEqual(['a'])
    expect([...absences.take(['b'], { ...odd(2), excess: null })]).toEqual([])
    expect([2, 2].map((excess) => [...absences.take(['b'], odd(excess))])).toEqual([[], []])
  })

  it('prove it with a 404 three times in a row, whatever totals they report', () => {
    const absences = createAbsences()
    const odd = (excess: number | null) => ({ complete: false, unreadable: [], excess })
    expect([3, 7, null, 5].map((excess) => [...absences.takeDenied(['a'], odd(excess))])).toEqual([
      [],
      [],
      [],
      ['a'],
    ])
    expect([...absences.takeDenied([], odd(5))]).toEqual([])
    expect([...absences.takeDenied(['a'], odd(5))]).toEqual([])
  })
})
