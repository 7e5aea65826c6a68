import { describe, expect, it } from 'vitest'
import type { LedgerState } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import type { Statement, Usage } from '#shared/service/billing'
import type { Page, PageQuery } from '#shared/service/page'
import { openStore } from '../../../../test/fixtures/store'
import { accountLedger } from './account-ledger'

const now = 1_795_000_000

const statement = (number: number, change: Partial<Statement> = {}): Statement => ({
  id: `statement-${String(number)}`,
  resource_id: `resource-${String(number % 7)}`,
  resource_type: 'vm',
  status: 'paid',
  started_time: now - 86_400 * 400 + number * 60,
  due_time: now - 86_400 * 400 + number * 60 + 60,
  type: 'lease_fee',
  amount: 0.01,
  ...change,
})

/** A service whose statements the test changes at will. */
const cloud = (count: number) => {
  const usage: Usage[] = []
  const service = {
    /** By id. */
    statements: new Map(Array.from({ length: count }, (_, index) => [index, statement(index)])),
    usage,
    requests: 0,
    limit: 1_000,
    tells: true,
    sorts: true,
    heedsOffset: true,
    /** Called before each request, with how many there were. */
    before: (_requests: number): void => undefined,
  }
  const page = <Item>(list: () => readonly Item[], { limit = 20, offset = 0 }: PageQuery): Page<Item> => {
    service.requests += 1
    service.before(service.requests)
    const items = list()
    const from = service.heedsOffset ? offset : 0
    return {
      items: items.slice(from, from + Math.min(limit, service.limit)),
      total: service.tells ? items.length : undefined,
    }
  }
  const inOrder = (): readonly Statement[] => {
    const all = [...service.statements.values()]
    return service.sorts ? all.sort((left, right) => right.started_time - left.started_time) : all
  }
  const billing = {
    statements: async (query: PageQuery) => page(inOrder, query),
    usage: async (query: PageQuery) => page(() => service.usage, query),
  }
  return { service, billing }
}

const open = async (count: number) => {
  const { database } = await openStore()
  const { service, billing } = cloud(count)
  const states: LedgerState[] = []
  let time = now
  const make = () =>
    accountLedger({
      account: 'a',
      billing: () => billing,
      database: () => database,
      now: () => time,
      publish: (state) => states.push(state),
    })
  let ledger = make()
  const requestsOf = async (work: () => Promise<void>): Promise<number> => {
    const before = service.requests
    await work()
    return service.requests - before
  }
  return {
    service,
    states,
    requestsOf,
    refresh: () => ledger.refresh(),
    readAll: () => ledger.readAll(),
    forget: () => ledger.forget(),
    state: () => ledger.state(),
    restart: () => {
      ledger = make()
    },
    pass: (seconds: number) => {
      time += seconds
    },
    kept: () =>
      new Map(
        database
          .prepare('SELECT id, millionths FROM statement ORDER BY id')
          .arrays()
          .map(([id, millionths]) => [id, millionths]),
      ),
    expected: () =>
      new Map(
        [...service.statements.values()]
          .map(({ id, amount }) => [id, Math.round(amount * 1e6)] as const)
          .sort(([left], [right]) => (left < right ? -1 : 1)),
      ),
  }
}

describe('a first reading', () => {
  it('says how far it is, is interrupted, and goes on where it was', async () => {
    const desk = await open(5_000)
    desk.service.before = (requests) => {
      if (requests === 4) throw new FailureError({ kind: 'offline' })
    }
    await desk.refresh()
    expect(desk.state()).toMatchObject({
      known: 2_998,
      total: 5_000,
      complete: false,
      failure: { kind: 'offline' },
    })
    expect(desk.states.map(({ known }) => known)).toEqual(expect.arrayContaining([1_000, 1_999, 2_998]))
    desk.restart()
    desk.service.before = () => undefined
    // Three more pages, the head once more, and usage.
    expect(await desk.requestsOf(desk.refresh)).toBeLessThanOrEqual(5)
    expect(desk.state()).toMatchObject({ known: 5_000, total: 5_000, complete: true, failure: null })
    expect(desk.kept()).toEqual(desk.expected())
  })
})

describe('the end of a first reading', () => {
  it('leaves no gap where it is interrupted among what was added meanwhile', async () => {
    const desk = await open(2_500)
    desk.service.tells = false
    let [added, broken] = [false, false]
    desk.service.before = () => {
      const { known } = desk.state()
      if (known >= 2_498 && !added) {
        added = true
        for (let number = 5_000; number < 7_000; number += 1)
          desk.service.statements.set(number, statement(number))
      } else if (desk.kept().has('statement-6999') && !broken) {
        broken = true
        throw new FailureError({ kind: 'offline' })
      }
    }
    await desk.refresh()
    expect(desk.state()).toMatchObject({ complete: false, failure: { kind: 'offline' } })
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })
})

describe('once all is read', () => {
  it('two requests tell that nothing is new among 100,000 statements', async () => {
    const desk = await open(100_000)
    await desk.refresh()
    expect(desk.state()).toMatchObject({ known: 100_000, complete: true })
    expect(await desk.requestsOf(desk.refresh)).toBe(2)
    const before = desk.state().revision
    await desk.refresh()
    expect(desk.state().revision).toBe(before)
  }, 120_000)

  it('reads what is new down to what is settled', async () => {
    const desk = await open(5_000)
    await desk.refresh()
    for (let number = 5_000; number < 6_200; number += 1)
      desk.service.statements.set(number, statement(number))
    expect(await desk.requestsOf(desk.refresh)).toBe(3)
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('leaves no gap where reading what is new is interrupted', async () => {
    const desk = await open(3_000)
    await desk.refresh()
    for (let number = 3_000; number < 6_000; number += 1)
      desk.service.statements.set(number, statement(number))
    desk.service.tells = false
    const done = desk.service.requests
    desk.service.before = (requests) => {
      if (requests === done + 2) throw new FailureError({ kind: 'offline' })
    }
    await desk.refresh()
    expect(desk.state().failure).toEqual({ kind: 'offline' })
    desk.service.before = () => undefined
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('finds a late correction of an old statement by and by', async () => {
    const desk = await open(5_000)
    await desk.refresh()
    desk.service.statements.set(17, statement(17, { amount: 7.5 }))
    await desk.refresh()
    expect(desk.kept()).not.toEqual(desk.expected())
    for (let turn = 0; turn < 6; turn += 1) {
      desk.pass(700)
      expect(await desk.requestsOf(desk.refresh)).toBeLessThanOrEqual(4)
    }
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('finds at once that an old statement came or went, by the number of all', async () => {
    const desk = await open(5_000)
    await desk.refresh()
    desk.service.statements.delete(2_000)
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
    desk.service.statements.set(9_000, statement(9_000, { started_time: now - 86_400 * 399 }))
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })
})

describe('a list that changes while it is read', () => {
  it('loses nothing where statements vanish from what was read already', async () => {
    const desk = await open(5_000)
    desk.service.before = (requests) => {
      // Two vanish and two are added, so that the number of all stays the same.
      if (requests !== 3) return
      for (const number of [4_990, 4_991]) desk.service.statements.delete(number)
      for (const number of [9_001, 9_002])
        desk.service.statements.set(number, statement(number, { started_time: now - 86_400 * 401 }))
    }
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('loses nothing where more statements are added than it had read', async () => {
    const desk = await open(2_500)
    desk.service.tells = false
    desk.service.before = (requests) => {
      if (requests !== 4) return
      for (let number = 5_000; number < 9_000; number += 1)
        desk.service.statements.set(number, statement(number))
    }
    await desk.refresh()
    expect(desk.state()).toMatchObject({ complete: true, failure: null })
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('doubles nothing where statements are added before what was read already', async () => {
    const desk = await open(5_000)
    let added = 10_000
    desk.service.before = () => {
      if (added < 10_040) desk.service.statements.set(added, statement(added))
      added += 1
    }
    await desk.refresh()
    desk.service.before = () => undefined
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('is read whole where the service gives fewer at once in between, even one', async () => {
    const desk = await open(60)
    const limits = [7, 1, 1, 3, 20]
    desk.service.before = (requests) => {
      desk.service.limit = limits[requests % limits.length] ?? 1
    }
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })
})

describe('a service of its own mind', () => {
  it('is read whole each time where it does not sort', async () => {
    const desk = await open(3_000)
    desk.service.sorts = false
    await desk.refresh()
    desk.service.statements.set(17, statement(17, { amount: 7.5 }))
    expect(await desk.requestsOf(desk.refresh)).toBeGreaterThanOrEqual(4)
    expect(desk.kept()).toEqual(desk.expected())
  })

  it.each([1_500, 3_000, 50_000])('is not asked for ever where it gives one page of %d', async (count) => {
    const desk = await open(count)
    desk.service.heedsOffset = false
    expect(await desk.requestsOf(desk.refresh)).toBeLessThan(20)
    expect(desk.state()).toMatchObject({ complete: false, failure: { kind: 'unexpected-answer' } })
  })

  it('is read whole where it does not say how many there are', async () => {
    const desk = await open(2_500)
    desk.service.tells = false
    await desk.refresh()
    expect(desk.state()).toMatchObject({ complete: true, total: null })
    expect(desk.kept()).toEqual(desk.expected())
    // What vanished is believed once two readings in a row have missed it.
    desk.service.statements.delete(3)
    await desk.readAll()
    await desk.readAll()
    expect(desk.kept()).toEqual(desk.expected())
  })

  it('that says for once that there is nothing does not empty the ledger', async () => {
    const desk = await open(500)
    await desk.refresh()
    const { statements } = desk.service
    desk.service.statements = new Map()
    await desk.refresh()
    desk.service.statements = statements
    await desk.refresh()
    expect(desk.kept()).toEqual(desk.expected())
  })
})

describe('what is kept', () => {
  it('is what the service’s own decimals say', async () => {
    const desk = await open(0)
    const amounts = [0.1, 0.000001, 12_345.678901, 1e-7, -59.76, 0.0000015]
    amounts.forEach((amount, number) => desk.service.statements.set(number, statement(number, { amount })))
    await desk.refresh()
    expect([...desk.kept().values()]).toEqual([100_000, 1, 12_345_678_901, 0, -59_760_000, 2])
  })

  it('is gone once the account is forgotten', async () => {
    const desk = await open(2_500)
    await desk.refresh()
    await desk.forget()
    expect(desk.kept().size).toBe(0)
    expect(desk.state()).toMatchObject({ known: 0, complete: false, lastSync: null })
  })
})
