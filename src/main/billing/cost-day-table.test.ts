import { expect, it } from 'vitest'
import { addDays, bounds, type Calendar, calendarIn } from '#shared/money/calendar'
import {
  type BookDeps,
  bookOf,
  charge as chargeOf,
  rowOf,
  seen,
  statementsIn,
  time,
  usage,
} from './costs/book.fixture'
import { type Charge, covers, type StoredCharges } from './costs/charge'
import type { CostBook } from './costs/cost-book'
import { costSeries } from './costs/days'
import { disagreements } from './costs/disagreements'
import { gpuCosts } from './costs/gpus'
import { momentsAt } from './costs/periods'
import { resourceCosts } from './costs/resources'
import { spendingOf } from './costs/spending-totals'
import { mergeSpans } from './covered-time'

const [anHour, aDay] = [3_600, 86_400]
const now = '2026-11-14T15:30:00Z'
const nowTime = Date.parse(now) / 1000
// These include days of 23 and 25 hours and, in Santiago, days that do not begin at midnight.
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'America/Santiago',
  'Asia/Kathmandu',
  'Pacific/Apia',
]

/** Returns reproducible integers from 0 to below `most`. */
function numbers(seed: number) {
  let state = seed
  return (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * most)
  }
}

/** Charges for hours, days and months, for no time, and for negative time. Some overlap, and some end in the future. */
function randomCharges(next: (most: number) => number, count: number): Charge[] {
  return Array.from({ length: count }, () => {
    const from = nowTime - next(420 * aDay)
    const length = [
      () => next(anHour),
      () => aDay,
      () => next(3 * aDay),
      () => next(160 * aDay),
      () => 0,
      () => -next(aDay),
    ]
    const kind = Math.min(next(24), 5)
    const resource = next(17)
    return {
      resource: `resource-${resource}`,
      type: resource % 3 === 0 ? 'volume' : 'vm',
      from,
      until: from + (length[(kind * 5 + resource) % (kind === 5 ? 6 : 4)]?.() ?? aDay),
      millionths: next(9) === 0 ? 0 : next(2_000_000_000) - 20_000_000,
      currency: [null, 'EUR', 'USD'][next(11) % 3] ?? null,
    }
  })
}

const deps = (next: (most: number) => number): Omit<BookDeps, 'charges'> => ({
  now,
  usage: Array.from({ length: 14 }, (_, index) =>
    usage({
      id: `usage-${index}`,
      resource: `resource-${index + 6}`,
      life: next(3_000_000_000),
      created: nowTime - next(400 * aDay),
      terminated: index % 4 === 0 ? nowTime - next(200 * aDay) : null,
      status: index % 4 === 0 ? 'terminated' : 'active',
      reportedAt: index % 5 === 0 ? nowTime - next(90 * aDay) : nowTime - next(600),
    }),
  ),
  seen: Array.from({ length: 12 }, (_, index) => seen(`resource-${index}`, { gpuCount: 1 + (index % 3) })),
})

/** Returns rows as sorted texts, because rows of equal cost have no defined order. */
const sorted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort()

const calendars = new Map<string, Calendar>()
function calendarOf(zone: string): Calendar {
  const calendar = calendars.get(zone) ?? calendarIn(zone)
  calendars.set(zone, calendar)
  return calendar
}

/** Returns the answers to all queries of the billing page, over many periods. */
function answers(book: CostBook, zone: string): unknown {
  const calendar = calendarOf(zone)
  const today = calendar.dateAt(nowTime)
  const periods = [
    [addDays(today, -365), addDays(today, 1)],
    [addDays(today, -30), today],
    ['2026-03-01', '2026-04-15'],
    [today, addDays(today, 3)],
    ['2025-08-01', '2027-01-01'],
  ] as const
  return [
    sorted(spendingOf(book, momentsAt(calendar, nowTime))),
    sorted(resourceCosts(book, -Infinity, Infinity, { all: true, only: null })),
    sorted(disagreements(book).items),
    ...periods.flatMap(([from, until]) =>
      (['day', 'month'] as const).flatMap((unit) => {
        const moments = bounds(calendar, from, until, unit)
        const [start = 0, end = 0] = [moments[0], moments.at(-1)]
        return [
          ...(['total', 'type', 'gpu', 'resource'] as const).map((by) =>
            costSeries(book, moments, by, 30).map(({ series, ...rest }) => [
              rest,
              sorted(
                series.map(({ charged, estimated, ahead, ...one }) => ({
                  ...one,
                  charged: [...charged],
                  estimated: [...estimated],
                  ahead: [...ahead],
                })),
              ),
            ]),
          ),
          sorted(resourceCosts(book, start, end, { all: true, only: null })),
          sorted(gpuCosts(resourceCosts(book, start, end, { all: false, only: null }))),
        ]
      }),
    ),
  ]
}

/** Returns the same charges without days, so that each is summed by itself: the expected result. */
function oneByOne(charges: readonly Charge[]): StoredCharges {
  const keyOf = ({ resource, currency }: Pick<Charge, 'resource' | 'currency'>) =>
    `${resource} ${String(currency)}`
  const keys = [...new Set(charges.map(keyOf))]
  const spansOf = (resource: string) =>
    mergeSpans(
      charges
        .filter((charge) => charge.resource === resource && covers(charge))
        .map(({ from, until }) => ({ since: from, until })),
    )
  const resources = [...new Set(charges.map(({ resource }) => resource))]
  return {
    lines: keys.flatMap((key, line) => {
      const own = charges.filter((charge) => keyOf(charge) === key)
      const lastEnd = Math.max(...own.map(({ from, until }) => Math.max(from, until)))
      return own
        .slice(0, 1)
        .map(({ resource, type, currency }) => ({ line, resource, type, currency, lastEnd }))
    }),
    days: () => [],
    unspread: charges.map((charge) => ({ ...charge, line: keys.indexOf(keyOf(charge)) })),
    endingAfter: () => [],
    coveredUntil: new Map(resources.map((id) => [id, spansOf(id).at(-1)?.until ?? -Infinity])),
    coveredSeconds: (start, end) =>
      new Map(
        resources.map((id) => [
          id,
          spansOf(id).reduce(
            (sum, { since, until }) => sum + Math.max(0, Math.min(until, end) - Math.max(since, start)),
            0,
          ),
        ]),
      ),
  }
}

const bookWith = (charges: StoredCharges, zone: string, rest: Omit<BookDeps, 'charges'>): CostBook =>
  bookOf({ ...rest, charges, zone })

it.each(zones)('days sum up to exactly the statements one by one, in %s', (zone) => {
  const next = numbers(zones.indexOf(zone) + 1)
  const list = randomCharges(next, 300)
  const rest = deps(next)
  const statements = statementsIn(zone)
  for (let from = 0; from < list.length; from += 90)
    statements.put(list.slice(from, from + 100).map((charge, at) => rowOf(charge, String(from + at))))
  expect(answers(bookWith(statements.charges(), zone, rest), zone)).toEqual(
    answers(bookWith(oneByOne(list), zone, rest), zone),
  )
})

it('days follow statements that are added, corrected and removed, and a change of the time zone', async () => {
  const next = numbers(7)
  const rest = deps(next)
  const statements = statementsIn('UTC')
  let list = new Map(randomCharges(next, 200).map((charge, index) => [`s${String(index)}`, charge]))
  let added = 0
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/New_York', 'America/New_York']) {
    statements.put([...list].map(([id, charge]) => rowOf(charge, id)))
    const rebuilt = statements.costDays.rebuild(zone)
    // Statements change during the rebuild.
    const corrected = [...list].map(([id, charge]): [string, Charge] => {
      if (next(6) > 0) return [id, charge]
      const longer = charge.until > charge.from ? charge.until + next(aDay) - anHour : charge.until
      return [id, { ...charge, until: longer, millionths: charge.millionths + 1 - next(3) }]
    })
    const extra = randomCharges(next, 40).map((charge): [string, Charge] => [
      `extra${String((added += 1))}`,
      { ...charge, resource: `${charge.resource}-new`, currency: 'GBP' },
    ])
    const removed = new Set([...list.keys()].filter(() => next(9) === 0))
    list = new Map([...corrected, ...extra])
    statements.put([...list].map(([id, charge]) => rowOf(charge, id)))
    await rebuilt
    expect(statements.costDays.isBuilt(zone)).toBe(true)
    // Removes rows that the second sweep does not meet.
    const kept = [...list].filter(([id]) => !removed.has(id))
    statements.table.transaction(() =>
      statements.table.put(
        kept.map(([id, charge]) => rowOf(charge, id)),
        2,
        0,
      ),
    )
    await statements.table.removeBetween(1, 2, () => false)
    list = new Map(kept)
    statements.table.transaction(() =>
      kept.forEach(([id]) =>
        statements.database.prepare('UPDATE statement SET seen_sweep = 1 WHERE id = ?').run(id),
      ),
    )
    expect(answers(bookWith(statements.charges(), zone, rest), zone)).toEqual(
      answers(bookWith(oneByOne([...list.values()]), zone, rest), zone),
    )
  }
})

it('a statement that a page contains twice counts once', () => {
  const statements = statementsIn('UTC')
  const once = rowOf(chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24), 'one')
  const corrected = rowOf(chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 12), 'one')
  statements.put([once, once, corrected])
  const [day] = statements.charges().days(-Infinity, Infinity)
  expect([...(day?.millionths ?? [])]).toEqual([12_000_000])
  expect(statements.charges().days(-Infinity, Infinity)).toHaveLength(1)
})

it('a statement of a century fills no days and counts all the same', () => {
  const statements = statementsIn('UTC')
  const list = [
    chargeOf('1970-01-01T00:00:01Z', '2070-01-01T00:00:00Z', 77),
    chargeOf('9999-01-01T00:00:00Z', '9999-01-01T00:00:01Z', 5),
    chargeOf('2026-01-01T00:00:00Z', '2026-05-01T00:00:00Z', 120),
  ]
  statements.put(list.map((charge, index) => rowOf(charge, String(index))))
  expect(statements.charges().days(-Infinity, Infinity)).toEqual([])
  const rest = { now, usage: [usage()], seen: [seen('m')] }
  expect(answers(bookWith(statements.charges(), 'UTC', rest), 'UTC')).toEqual(
    answers(bookWith(oneByOne(list), 'UTC', rest), 'UTC'),
  )
})

it('a statement that failed, was refunded or is void charges nothing and pays for no time', () => {
  const statements = statementsIn('UTC')
  const statuses = ['paid', 'Failed', 'refunded', 'VOID', 'unpaid', null]
  statements.put(
    statuses.map((status, index) =>
      rowOf(
        chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24, { resource: `r${String(index)}` }),
        String(index),
      ).with(6, status),
    ),
  )
  const charges = statements.charges()
  const charged = charges.days(-Infinity, Infinity).flatMap(({ lines }) => [...lines])
  const names = new Map(charges.lines.map(({ line, resource }) => [line, resource]))
  expect(charged.map((line) => names.get(line))).toEqual(['r0', 'r4', 'r5'])
  expect([...charges.coveredSeconds(-Infinity, Infinity).keys()]).toEqual(['r0', 'r4', 'r5'])
})

it('a statement that is corrected to cover less leaves the rest to the estimate', () => {
  const statements = statementsIn('UTC')
  const put = (until: string) =>
    statements.put([
      rowOf(chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24), 'one'),
      rowOf(chargeOf('2026-07-02T00:00:00Z', until, 24), 'two'),
    ])
  put('2026-07-03T00:00:00Z')
  expect(statements.charges().coveredUntil.get('m')).toBe(time('2026-07-03T00:00:00Z'))
  put('2026-07-02T00:01:00Z')
  expect(statements.charges().coveredUntil.get('m')).toBe(time('2026-07-02T00:01:00Z'))
})

it.each(['', 'a\0b', '"\\', '\u{1f600}', '\uFDD0', 'half \ud83d', '\ude00'])(
  'keeps the resource %j and its statement',
  (resource) => {
    const statements = statementsIn('UTC')
    const one = chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24, { resource })
    statements.put([rowOf(one, `id ${resource}`)])
    statements.put([rowOf({ ...one, millionths: 5 }, `id ${resource}`)])
    const charges = statements.charges()
    expect(charges.lines.map((line) => line.resource)).toEqual([resource])
    expect(charges.days(-Infinity, Infinity).flatMap(({ millionths }) => [...millionths])).toEqual([5])
    expect(charges.endingAfter(resource, 0)).toHaveLength(1)
  },
)

it('a statement that covers thousands of separate periods merges them', () => {
  const statements = statementsIn('UTC')
  const start = time('2026-01-01T00:00:00Z')
  const hours = Array.from({ length: 5_000 }, (_, hour): Charge => ({
    ...chargeOf('2026-01-01T00:00:00Z', '2026-01-01T00:59:59Z', 1),
    from: start + hour * 3_600,
    until: start + hour * 3_600 + 3_599,
  }))
  statements.put(hours.map((charge, at) => rowOf(charge, String(at))))
  const all = { ...chargeOf('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 1), until: start + 5_000 * 3_600 }
  statements.put([rowOf(all, 'all')])
  const charges = statements.charges()
  expect(charges.coveredSeconds(-Infinity, Infinity)).toEqual(new Map([['m', 5_000 * 3_600]]))
})

it('days are rebuilt if their removal stopped before the statements were gone', async () => {
  const statements = statementsIn('UTC')
  statements.put([rowOf(chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24), 'one')])
  statements.costDays.clear()
  expect(statements.costDays.isBuilt('UTC')).toBe(false)
  expect(statements.charges().coveredSeconds(-Infinity, Infinity)).toEqual(new Map([['m', 86_400]]))
  await statements.costDays.rebuild('UTC')
  expect(
    statements
      .charges()
      .days(-Infinity, Infinity)
      .flatMap(({ millionths }) => [...millionths]),
  ).toEqual([24_000_000])
})

it('charges that a rebuild has not reached are missing from the days and from what ends later', () => {
  const statements = statementsIn('UTC')
  statements.put([rowOf(chargeOf('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z', 24), 'one')])
  expect(statements.charges().endingAfter('m', 0)).toHaveLength(1)
  statements.costDays.clear()
  expect(statements.charges().endingAfter('m', 0)).toEqual([])
})

it('lets other work go on during a rebuild', async () => {
  const statements = statementsIn('UTC')
  const list = randomCharges(numbers(3), 12_000)
  for (let from = 0; from < list.length; from += 1_000)
    statements.put(list.slice(from, from + 1_000).map((charge, at) => rowOf(charge, String(from + at))))
  let pauses = 0
  let next = setImmediate(function count() {
    pauses += 1
    next = setImmediate(count)
  })
  await statements.costDays.rebuild('Asia/Tokyo')
  clearImmediate(next)
  expect(pauses).toBeGreaterThanOrEqual(2)
})

it('a resource has the type of its latest statement', () => {
  const statements = statementsIn('UTC')
  const types = () => statements.charges().lines.map(({ type }) => type)
  const put = (id: string, day: number, type: string | null): void =>
    void statements.put([
      rowOf(
        chargeOf(`2026-07-0${String(day)}T00:00:00Z`, `2026-07-0${String(day + 1)}T00:00:00Z`, 24, { type }),
        id,
      ),
    ])
  put('one', 3, 'vm')
  put('two', 4, 'bare_metal')
  put('early', 1, 'volume')
  put('nameless', 5, null)
  expect(types()).toEqual(['bare_metal'])
  // A correction may change the type.
  put('two', 4, 'volume')
  expect(types()).toEqual(['volume'])
})

it('a statement that starts later today and is due before now counts as charged ahead', () => {
  const list = [
    chargeOf('2026-11-14T18:00:00Z', '2026-11-14T09:00:00Z', 7),
    chargeOf('2026-11-14T09:00:00Z', '2026-11-14T08:00:00Z', 5),
  ]
  const statements = statementsIn('UTC')
  statements.put(list.map((charge, index) => rowOf(charge, String(index))))
  const rest = { now }
  const days = bounds(calendarOf('UTC'), '2026-11-14', '2026-11-15', 'day')
  const [all] = costSeries(bookWith(statements.charges(), 'UTC', rest), days, 'total', 1)
  expect(all?.series).toMatchObject([{ charged: new Float64Array([5e6]), ahead: new Float64Array([7e6]) }])
  expect(answers(bookWith(statements.charges(), 'UTC', rest), 'UTC')).toEqual(
    answers(bookWith(oneByOne(list), 'UTC', rest), 'UTC'),
  )
})
