import { expect, it } from 'vitest'
import { addDays, bounds, type Calendar, calendarIn } from '#shared/money/calendar'
import { type BookDeps, bookOf, seen, usage } from './book.fixture'
import { type Charge, type Charges, chargesOf, countBefore, gatherCharges } from './charges'
import type { CostBook } from './cost-book'
import { sumDays } from './day-sums'
import { costSeries } from './days'
import { disagreements } from './disagreements'
import { gpuCosts } from './gpus'
import { momentsAt } from './periods'
import { resourceCosts } from './resources'
import { spendingOf } from './spending'

const [anHour, aDay] = [3_600, 86_400]
const now = '2026-11-14T15:30:00Z'
const nowTime = Date.parse(now) / 1000
// With days of 23 and 25 hours and, in Santiago, days that do not begin at midnight.
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'America/Santiago',
  'Asia/Kathmandu',
  'Pacific/Apia',
]

/** The same numbers every time: from 0 to below `most`. */
function numbers(seed: number) {
  let state = seed
  return (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * most)
  }
}

/** Statements as services make them, and as none should: of hours, days and months, overlapping, of no time, in the future. */
function randomCharges(next: (most: number) => number, count: number): Charge[] {
  return Array.from({ length: count }, () => {
    const from = nowTime - next(420 * aDay)
    const length = [
      () => next(anHour),
      () => aDay,
      () => next(3 * aDay),
      () => next(60 * aDay),
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

/** Whatever order rows of the same cost come in. */
const sorted = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort()

const calendars = new Map<string, Calendar>()
function calendarOf(zone: string): Calendar {
  const calendar = calendars.get(zone) ?? calendarIn(zone)
  calendars.set(zone, calendar)
  return calendar
}

/** Every question of the Billing page, over many periods. */
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

const bookWith = (charges: Charges, rest: Omit<BookDeps, 'charges'>): CostBook => bookOf({ ...rest, charges })

const inOrder = (list: readonly Charge[]): Charge[] => [...list].sort((left, right) => left.from - right.from)

it.each(zones)('says exactly what the statements say one by one, in %s', async (zone) => {
  for (let seed = 1; seed <= 2; seed += 1) {
    const next = numbers(seed)
    const list = randomCharges(next, 600)
    const rest = deps(next)
    const summed = chargesOf(list)
    await sumDays(summed, calendarOf(zone), nowTime, 0)
    expect(answers(bookWith(summed, rest), zone)).toEqual(answers(bookWith(chargesOf(list), rest), zone))
  }
})

it('follows statements that come and are corrected, and a person who travels', async () => {
  const next = numbers(7)
  const rest = deps(next)
  let list = inOrder(randomCharges(next, 500))
  let charges = chargesOf(list)
  for (const zone of ['UTC', 'UTC', 'Asia/Kathmandu', 'America/New_York', 'America/New_York', 'UTC']) {
    await sumDays(charges, calendarOf(zone), nowTime, 0)
    expect(answers(bookWith(charges, rest), zone)).toEqual(answers(bookWith(chargesOf(list), rest), zone))
    // The last weeks are read again: some are corrected, some gone, some new, of a currency that none had.
    const from = nowTime - 35 * aDay
    const kept = list.slice(0, countBefore(charges, from))
    const later = list
      .slice(kept.length)
      .filter(() => next(9) > 0)
      .map((charge) => (next(4) === 0 ? { ...charge, millionths: charge.millionths + 1 } : charge))
    const added = randomCharges(next, 40)
      .filter((charge) => charge.from >= from)
      .map((charge) => ({ ...charge, resource: `${charge.resource}-new`, currency: 'GBP' }))
    list = inOrder([...kept, ...later, ...added])
    const gather = gatherCharges(charges, from)
    for (const charge of list.slice(kept.length)) gather.add(charge)
    const { settled } = charges
    charges = gather.done()
    expect(charges.settled).toBe(settled)
  }
  // An old one is corrected: everything is read anew.
  list = list.map((charge, index) => (index === 3 ? { ...charge, millionths: 12_345 } : charge))
  charges = chargesOf(list)
  await sumDays(charges, calendarOf('UTC'), nowTime, 0)
  expect(answers(bookWith(charges, rest), 'UTC')).toEqual(answers(bookWith(chargesOf(list), rest), 'UTC'))
})

it('is true days later, and of statements that are older than the days that are distinguished', async () => {
  const next = numbers(9)
  const old = {
    resource: 'resource-1',
    type: 'vm',
    from: 1,
    until: 10 * aDay,
    millionths: 77,
    currency: 'USD',
  }
  const list = [old, ...randomCharges(next, 300)]
  const rest = deps(next)
  const summed = chargesOf(list)
  await sumDays(summed, calendarOf('Europe/Berlin'), nowTime - 9 * aDay, 0)
  const exact = answers(bookWith(chargesOf(list), rest), 'Europe/Berlin')
  expect(answers(bookWith(summed, rest), 'Europe/Berlin')).toEqual(exact)
})

it('takes the sums, not the statements, for days that are over', async () => {
  const list = randomCharges(numbers(3), 300)
  const summed = chargesOf(list)
  await sumDays(summed, calendarOf('UTC'), nowTime, 0)
  const moments = bounds(calendarOf('UTC'), '2026-01-01', '2026-10-01', 'day')
  const rest = deps(numbers(4))
  const before = costSeries(bookWith(summed, rest), moments, 'total', 10)
  summed.millionths.fill(0)
  expect(costSeries(bookWith(summed, rest), moments, 'total', 10)).toEqual(before)
})

it('takes the statements where sums would need more room than they do', async () => {
  // A resource in two currencies, of which each has one day, years apart.
  const list = Array.from({ length: 100 }, (_, index) => index).flatMap((index): Charge[] => {
    const one = { resource: `resource-${index}`, type: 'vm', millionths: 1_000_000 }
    const [long, lately] = [nowTime - 1_000 * aDay, nowTime - 60 * aDay]
    return [
      { ...one, from: long, until: long + anHour, currency: 'EUR' },
      { ...one, from: lately, until: lately + anHour, currency: 'USD' },
      { ...one, from: nowTime - aDay, until: nowTime, currency: 'USD' },
    ]
  })
  const summed = chargesOf(list)
  await sumDays(summed, calendarOf('UTC'), nowTime, 0)
  const moments = bounds(calendarOf('UTC'), '2026-01-01', '2026-10-01', 'day')
  const rest = deps(numbers(4))
  summed.millionths.fill(0)
  const charged = costSeries(bookWith(summed, rest), moments, 'total', 10).flatMap(({ series }) =>
    series.flatMap((one) => [...one.charged]),
  )
  expect(charged.filter((amount) => amount !== 0)).toEqual([])
})

it('lets other work go on while it reckons when days begin', async () => {
  const summed = chargesOf([
    {
      resource: 'm',
      type: 'vm',
      from: nowTime - 1_090 * aDay,
      until: nowTime,
      millionths: 1,
      currency: null,
    },
  ])
  let pauses = 0
  let next = setImmediate(function count() {
    pauses += 1
    next = setImmediate(count)
  })
  await sumDays(summed, calendarIn('UTC'), nowTime, 0)
  clearImmediate(next)
  expect(pauses).toBeGreaterThanOrEqual(9)
})
