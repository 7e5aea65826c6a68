import { describe, expect, it } from 'vitest'
import { openAccountLedger, statement } from '../../../../test/fixtures/account-ledger-harness'

describe.each<[string, (all: number, onPage: number) => number]>([
  ['counts the rows of a page', (_all, onPage) => onPage],
  ['is always 0', () => 0],
  ['counts no further than to 2,000', (all) => Math.min(all, 2_000)],
])('a total that %s', (_name, totalOf) => {
  it('makes the ledger read nothing more often than without one', async () => {
    const harness = await openAccountLedger(4_500)
    harness.service.totalOf = totalOf
    // Requests: five pages, the end, the head again, and usage.
    expect(await harness.requestsOf(harness.refresh)).toBeLessThanOrEqual(10)
    expect(harness.state()).toMatchObject({ known: 4_500, complete: true, failure: null })
    for (const number of [5_000, 5_001]) {
      harness.service.statements.set(number, statement(number))
      expect(await harness.requestsOf(harness.refresh)).toBeLessThanOrEqual(3)
    }
    expect(harness.state()).toMatchObject({ known: 4_502, total: null })
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('counts again once it is right', async () => {
    const harness = await openAccountLedger(2_500)
    harness.service.totalOf = totalOf
    await harness.refresh()
    harness.service.totalOf = (all) => all
    await harness.readAll()
    expect(harness.state()).toMatchObject({ known: 2_500, total: 2_500 })
    harness.service.statements.delete(3)
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })
})
