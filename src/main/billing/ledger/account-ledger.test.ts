import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { now, openAccountLedger, statement } from '../../../../test/fixtures/account-ledger-harness'

describe('a ledger that is closed', () => {
  it('writes nothing more, neither of the page under way nor of a reading that waits', async () => {
    const harness = await openAccountLedger(5_000)
    let atClose = new Map<unknown, unknown>()
    harness.service.before = (requests) => {
      if (requests !== 3) return
      atClose = harness.kept()
      void harness.close()
    }
    await Promise.all([harness.refresh(), harness.readAll()])
    expect(harness.service.requests).toBe(3)
    expect(atClose.size).toBeGreaterThan(0)
    expect(harness.kept()).toEqual(atClose)
  })

  it('is closed once the reading under way has ended, whose request is cancelled', async () => {
    const harness = await openAccountLedger(5_000)
    const ended: string[] = []
    let closing: Promise<unknown> = Promise.resolve()
    harness.service.before = (requests, signal) => {
      if (requests !== 3) return
      closing = Promise.resolve(harness.close()).then(() => ended.push('closed'))
      expect(signal?.aborted).toBe(true)
    }
    await harness.refresh().then(() => ended.push('read'))
    await closing
    expect(ended).toEqual(['read', 'closed'])
  })
})

describe('a first reading', () => {
  it('says how far it is, is interrupted, and goes on where it was', async () => {
    const harness = await openAccountLedger(5_000)
    harness.service.before = (requests) => {
      if (requests === 4) throw new FailureError({ kind: 'offline' })
    }
    await harness.refresh()
    expect(harness.state()).toMatchObject({
      known: 2_998,
      total: 5_000,
      complete: false,
      failure: { kind: 'offline' },
    })
    expect(harness.states.map(({ known }) => known)).toEqual(expect.arrayContaining([1_000, 1_999, 2_998]))
    harness.restart()
    harness.service.before = () => undefined
    // Requests: three more pages, the end, the head again, and usage.
    expect(await harness.requestsOf(harness.refresh)).toBeLessThanOrEqual(6)
    expect(harness.state()).toMatchObject({ known: 5_000, total: 5_000, complete: true, failure: null })
    expect(harness.kept()).toEqual(harness.expected())
  })
})

describe('a sign-out while a page is kept', () => {
  it('hides nothing that was written: whoever has an older revision asks again', async () => {
    const harness = await openAccountLedger(1_500)
    harness.service.before = (requests) => {
      // Runs when the reading yields: the page is stored, and nothing else is read.
      if (requests === 1) setImmediate(() => harness.clear())
    }
    const before = harness.state().revision
    await harness.refresh()
    expect(harness.service.requests).toBe(1)
    expect(harness.kept().size).toBe(1_000)
    expect(harness.state()).toMatchObject({ revision: before + 1, reading: false, failure: null })
  })
})

describe('a sign-out while statements are removed', () => {
  it('reports the removed ones at once', async () => {
    const harness = await openAccountLedger(5_000)
    await harness.refresh()
    for (let number = 1_000; number < 3_200; number += 1) harness.service.statements.delete(number)
    const kept = () => harness.kept().size
    let [before, isOver] = [0, false]
    // Runs whenever the reading yields. The removal yields after the first thousand.
    setImmediate(function signOut() {
      if (isOver) return
      if (kept() < 5_000) return harness.clear()
      before = harness.state().revision
      setImmediate(signOut)
    })
    await harness.readAll()
    isOver = true
    expect(kept()).toBeGreaterThan(2_800)
    expect(kept()).toBeLessThan(5_000)
    expect(harness.state()).toMatchObject({ reading: false, failure: null })
    expect(harness.state().revision).toBeGreaterThan(before)
  })
})

describe('the end of a first reading', () => {
  it('leaves no gap where it is interrupted among what was added meanwhile', async () => {
    const harness = await openAccountLedger(2_500)
    harness.service.countsRows = false
    let [added, broken] = [false, false]
    harness.service.before = () => {
      const { known } = harness.state()
      if (known >= 2_498 && !added) {
        added = true
        for (let number = 5_000; number < 7_000; number += 1)
          harness.service.statements.set(number, statement(number))
      } else if (harness.kept().has('statement-6999') && !broken) {
        broken = true
        throw new FailureError({ kind: 'offline' })
      }
    }
    await harness.refresh()
    expect(harness.state()).toMatchObject({ complete: false, failure: { kind: 'offline' } })
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })
})

describe('once all is read', () => {
  it('two requests find that nothing is new among 100,000 statements', async () => {
    const harness = await openAccountLedger(100_000)
    await harness.refresh()
    expect(harness.state()).toMatchObject({ known: 100_000, complete: true })
    expect(await harness.requestsOf(harness.refresh)).toBe(2)
    const before = harness.state().revision
    await harness.refresh()
    expect(harness.state().revision).toBe(before)
  })

  it('reads what is new down to what is settled', async () => {
    const harness = await openAccountLedger(5_000)
    await harness.refresh()
    for (let number = 5_000; number < 6_200; number += 1)
      harness.service.statements.set(number, statement(number))
    expect(await harness.requestsOf(harness.refresh)).toBe(3)
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('leaves no gap where reading what is new is interrupted', async () => {
    const harness = await openAccountLedger(3_000)
    await harness.refresh()
    for (let number = 3_000; number < 6_000; number += 1)
      harness.service.statements.set(number, statement(number))
    harness.service.countsRows = false
    const done = harness.service.requests
    harness.service.before = (requests) => {
      if (requests === done + 2) throw new FailureError({ kind: 'offline' })
    }
    await harness.refresh()
    expect(harness.state().failure).toEqual({ kind: 'offline' })
    harness.service.before = () => undefined
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('finds a late correction of an old statement by and by', async () => {
    const harness = await openAccountLedger(5_000)
    await harness.refresh()
    harness.service.statements.set(17, statement(17, { amount: 7.5 }))
    await harness.refresh()
    expect(harness.kept()).not.toEqual(harness.expected())
    for (let round = 0; round < 6; round += 1) {
      harness.pass(700)
      expect(await harness.requestsOf(harness.refresh)).toBeLessThanOrEqual(5)
    }
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('finds at once that an old statement came or went, by the number of all', async () => {
    const harness = await openAccountLedger(5_000)
    await harness.refresh()
    harness.service.statements.delete(2_000)
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
    harness.service.statements.set(9_000, statement(9_000, { started_time: now - 86_400 * 399 }))
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })
})

describe('a list that changes while it is read', () => {
  it('loses nothing where statements vanish from what was read already', async () => {
    const harness = await openAccountLedger(5_000)
    harness.service.before = (requests) => {
      // Two vanish and two are added, so that the total stays the same.
      if (requests !== 3) return
      for (const number of [4_990, 4_991]) harness.service.statements.delete(number)
      for (const number of [9_001, 9_002])
        harness.service.statements.set(number, statement(number, { started_time: now - 86_400 * 401 }))
    }
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('loses nothing where more statements are added than it had read', async () => {
    const harness = await openAccountLedger(2_500)
    harness.service.countsRows = false
    harness.service.before = (requests) => {
      if (requests !== 4) return
      for (let number = 5_000; number < 9_000; number += 1)
        harness.service.statements.set(number, statement(number))
    }
    await harness.refresh()
    expect(harness.state()).toMatchObject({ complete: true, failure: null })
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('doubles nothing where statements are added before what was read already', async () => {
    const harness = await openAccountLedger(5_000)
    let added = 10_000
    harness.service.before = () => {
      if (added < 10_040) harness.service.statements.set(added, statement(added))
      added += 1
    }
    await harness.refresh()
    harness.service.before = () => undefined
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('is read whole where the service gives fewer at once in between, even one', async () => {
    const harness = await openAccountLedger(60)
    const limits = [7, 1, 1, 3, 20]
    harness.service.before = (requests) => {
      harness.service.limit = limits[requests % limits.length] ?? 1
    }
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })
})

describe('a service of its own mind', () => {
  it('is read whole each time where it does not sort', async () => {
    const harness = await openAccountLedger(3_000)
    harness.service.sorts = false
    await harness.refresh()
    harness.service.statements.set(17, statement(17, { amount: 7.5 }))
    expect(await harness.requestsOf(harness.refresh)).toBeGreaterThanOrEqual(4)
    expect(harness.kept()).toEqual(harness.expected())
  })

  it.each([1_500, 3_000, 50_000])('is not asked for ever where it gives one page of %d', async (count) => {
    const harness = await openAccountLedger(count)
    harness.service.heedsOffset = false
    expect(await harness.requestsOf(harness.refresh)).toBeLessThan(20)
    expect(harness.state()).toMatchObject({ complete: false, failure: { kind: 'unexpected-answer' } })
  })

  it('is read whole where it does not say how many there are', async () => {
    const harness = await openAccountLedger(2_500)
    harness.service.countsRows = false
    await harness.refresh()
    expect(harness.state()).toMatchObject({ complete: true, total: null })
    expect(harness.kept()).toEqual(harness.expected())
    // A row counts as removed after two readings in a row missed it.
    harness.service.statements.delete(3)
    await harness.readAll()
    await harness.readAll()
    expect(harness.kept()).toEqual(harness.expected())
  })

  it('that says for once that there is nothing does not empty the ledger', async () => {
    const harness = await openAccountLedger(500)
    await harness.refresh()
    const { statements } = harness.service
    harness.service.statements = new Map()
    await harness.refresh()
    harness.service.statements = statements
    await harness.refresh()
    expect(harness.kept()).toEqual(harness.expected())
  })
})

describe('what is kept', () => {
  it('is what the service’s own decimals say', async () => {
    const harness = await openAccountLedger(0)
    const amounts = [0.1, 0.000001, 12_345.678901, 1e-7, -59.76, 0.0000015]
    amounts.forEach((amount, number) => harness.service.statements.set(number, statement(number, { amount })))
    await harness.refresh()
    expect([...harness.kept().values()]).toEqual([100_000, 1, 12_345_678_901, 0, -59_760_000, 2])
  })

  it('is not as new as a clock said that was set back', async () => {
    const harness = await openAccountLedger(10)
    await harness.refresh()
    harness.setClock(now - 86_400)
    await harness.refresh()
    expect(harness.state()).toMatchObject({ lastSync: now - 86_400, usageLastSync: now - 86_400 })
  })

  it('is gone once the account is forgotten', async () => {
    const harness = await openAccountLedger(2_500)
    await harness.refresh()
    await harness.forget()
    expect(harness.kept().size).toBe(0)
    expect(harness.state()).toMatchObject({ known: 0, complete: false, lastSync: null })
  })

  it('is read on after the store has failed for a while', async () => {
    let isBusy = false
    const harness = await openAccountLedger(300, (database) => ({
      ...database,
      prepare(sql) {
        if (isBusy)
          throw new FailureError({ kind: 'local-fault', action: 'store.read', reason: 'SQLITE_BUSY' })
        return database.prepare(sql)
      },
    }))
    isBusy = true
    await harness.refresh()
    expect(harness.states.at(-1)).toMatchObject({ reading: false, failure: { kind: 'local-fault' } })
    isBusy = false
    await harness.refresh()
    expect(harness.state()).toMatchObject({ complete: true, known: 300, failure: null })
  })
})
