import type { Calendar } from '#shared/money/calendar'
import { addDays } from '#shared/money/calendar'
import { portion } from '#shared/money/prorate'
import { yieldToEventLoop } from '../../core/clock'
import { type Charges, countBefore, covers, type Settled } from './charges'

/** Fewer are added up one by one as quickly. */
const worthwhile = 50_000
/** Days before today that are distinguished; all that is older is one sum. */
const mostDays = 1_100
/** Statements that are added before the main process may do something else: a few milliseconds. */
const chunk = 20_000
/** Days whose beginnings are reckoned before it may: as long. */
const chunkOfDays = 100

/** Values of lines, each from the first of its days to the last. */
interface Lines {
  /** The first cell of each line, and where its values begin; where those of the last end comes last. */
  readonly first: Int32Array
  readonly offset: Int32Array
  readonly values: Float64Array
}

/** What statements that follow each other come to by day. A line of `amounts` is a resource and a currency. */
interface Part {
  readonly kinds: number
  readonly amounts: Lines
  /** For each cell of `amounts`: 1 where a statement covers the day, even for an amount of 0. */
  readonly met: Uint8Array
  /** Seconds that are covered, each once, by resource. */
  readonly seconds: Lines
  /** Until when each resource is covered. */
  readonly reached: Float64Array
}

/**
 * What the statements of an account come to on each day of a calendar, exactly as they are prorated one by one. Cell 0
 * is what lies before the first day, cell `n` is [`edges[n]`, `edges[n + 1]`).
 */
interface DaySums {
  readonly timeZone: string
  readonly edges: Float64Array
  /** Sums are true up to here, the beginning of a day. */
  readonly until: number
  /** Nothing lies before the first day. */
  readonly isWhole: boolean
  readonly parts: readonly Part[]
}

const edgeOf = (edges: Float64Array, cell: number): number => edges[cell] ?? Infinity

/** The last cell that begins at `time` or before. */
function cellBefore(edges: Float64Array, time: number): number {
  let low = 0
  let high = edges.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (edgeOf(edges, middle) <= time) low = middle
    else high = middle
  }
  return low
}

/** Which cells each line reaches from and to, and room for them. */
function ranges(count: number) {
  const first = new Int32Array(count).fill(-1)
  const last = new Int32Array(count).fill(-2)
  let size = 0
  return {
    size: () => size,
    widen(line: number, from: number, to: number): void {
      const reached = last[line] ?? 0
      if (reached >= to) return
      if (reached < 0) first[line] = from
      size += to - (reached < 0 ? from - 1 : reached)
      last[line] = to
    },
    lines(): Lines {
      const offset = new Int32Array(count + 1)
      for (let line = 0; line < count; line += 1)
        offset[line + 1] = (offset[line] ?? 0) + (last[line] ?? 0) - (first[line] ?? 0) + 1
      return { first, offset, values: new Float64Array(size) }
    },
  }
}

/** Adds up the statements from index `begin` to `end`; undefined where that would take more room than they do. */
async function addUp(
  charges: Charges,
  [begin, end]: readonly [number, number],
  edges: Float64Array,
  before: Part | undefined,
): Promise<Part | undefined> {
  const { from: starts, until: ends, millionths, resource: resourceOf, currency: currencyOf } = charges
  const kinds = charges.currencies.length
  const cells = edges.length - 1
  const over = edgeOf(edges, cells)
  const most = 4 * (end - begin) + worthwhile
  const [ofAmounts, ofSeconds] = [ranges(charges.resources.length * kinds), ranges(charges.resources.length)]
  let steps = 0
  let cell = 0
  for (let index = begin; index < end; index += 1) {
    const from = starts[index] ?? 0
    if (from >= over) break
    while (edgeOf(edges, cell + 1) <= from) cell += 1
    const until = Math.min(ends[index] ?? 0, over)
    const last = until <= edgeOf(edges, cell + 1) ? cell : cellBefore(edges, until - 1)
    steps += last - cell + 1
    const resource = resourceOf[index] ?? 0
    ofAmounts.widen(resource * kinds + (currencyOf[index] ?? 0), cell, last)
    if (covers(millionths[index] ?? 0)) ofSeconds.widen(resource, cell, last)
    if (index % chunk === chunk - 1) await yieldToEventLoop()
  }
  if (Math.max(steps, ofAmounts.size(), ofSeconds.size()) > most) return undefined
  const [amounts, seconds] = [ofAmounts.lines(), ofSeconds.lines()]

  const met = new Uint8Array(amounts.values.length)
  const reached = new Float64Array(charges.resources.length).fill(-Infinity)
  if (before) reached.set(before.reached)
  cell = 0
  for (let index = begin; index < end; index += 1) {
    const from = starts[index] ?? 0
    if (from >= over) break
    while (edgeOf(edges, cell + 1) <= from) cell += 1
    const until = ends[index] ?? 0
    const resource = resourceOf[index] ?? 0
    const line = resource * kinds + (currencyOf[index] ?? 0)
    const amount = millionths[index] ?? 0
    const place = (amounts.offset[line] ?? 0) - (amounts.first[line] ?? 0)
    let counted = 0
    for (let at = cell; at < cells && (at === cell || edgeOf(edges, at) < until); at += 1) {
      const edge = edgeOf(edges, at + 1)
      const upTo = until <= edge ? amount : portion(amount, edge - from, until - from)
      amounts.values[place + at] = (amounts.values[place + at] ?? 0) + upTo - counted
      met[place + at] = 1
      counted = upTo
    }
    let done = Math.max(from, reached[resource] ?? -Infinity)
    if (covers(amount) && until > done) {
      reached[resource] = until
      const lineOfSeconds = (seconds.offset[resource] ?? 0) - (seconds.first[resource] ?? 0)
      for (let at = cell; at < cells && edgeOf(edges, at) < until; at += 1) {
        const upTo = Math.min(until, edgeOf(edges, at + 1))
        if (upTo <= done) continue
        seconds.values[lineOfSeconds + at] = (seconds.values[lineOfSeconds + at] ?? 0) + upTo - done
        done = upTo
      }
    }
    if (index % chunk === chunk - 1) await yieldToEventLoop()
  }
  return { kinds, amounts, met, seconds, reached }
}

/** -Infinity, the beginning of each day from `first` on, and that of tomorrow. */
async function edgesFrom(calendar: Calendar, first: string, now: number): Promise<Float64Array> {
  const edges = [-Infinity]
  const last = addDays(calendar.dateAt(now), 1)
  for (let date = first; date <= last; date = addDays(date, 1))
    if (edges.push(calendar.startOf(date)) % chunkOfDays === 0) await yieldToEventLoop()
  return Float64Array.from(edges)
}

interface SettledSums {
  readonly timeZone: string
  readonly first: string
  readonly until: number
  /** Undefined: too spread out to be summed. */
  readonly part: Part | undefined
}
const sumsOfSettled = new WeakMap<Settled, SettledSums>()
const sumsOf = new WeakMap<Charges, DaySums>()
const underway = new WeakMap<Charges, { readonly timeZone: string; readonly done: Promise<void> }>()

async function sum(charges: Charges, calendar: Calendar, now: number): Promise<void> {
  const { timeZone } = calendar
  const { settled } = charges
  const oldest = addDays(calendar.dateAt(now), -mostDays)
  const begins = calendar.dateAt(charges.from[0] ?? now)
  const known = sumsOfSettled.get(settled)
  const kept = known?.timeZone === timeZone ? known : undefined
  const first = kept?.first ?? (begins > oldest ? begins : oldest)
  const edges = await edgesFrom(calendar, first, now)
  const until = edges.at(-1) ?? 0
  if (edges.length < 3) return
  const old = kept ?? {
    timeZone,
    first,
    until,
    part: await addUp(charges, [0, settled.count], edges, undefined),
  }
  sumsOfSettled.set(settled, old)
  const recent = old.part && (await addUp(charges, [settled.count, charges.count], edges, old.part))
  if (!old.part || !recent) return void sumsOf.delete(charges)
  sumsOf.set(charges, {
    timeZone,
    edges,
    until: Math.min(old.until, until),
    parts: [old.part, recent],
    isWhole: (charges.from[0] ?? Infinity) >= edgeOf(edges, 1),
  })
}

/**
 * Adds up what falls on each day of `calendar` where that is worth it, a little at a time: what is asked about `charges`
 * afterwards takes it from there. Only what is new is added where `charges` continue others.
 */
export async function sumDays(
  charges: Charges,
  calendar: Calendar,
  now: number,
  fewest = worthwhile,
): Promise<void> {
  if (charges.count < fewest) return
  const { timeZone } = calendar
  const known = underway.get(charges)
  if (known?.timeZone === timeZone) return known.done
  const done = sum(charges, calendar, now)
  underway.set(charges, { timeZone, done })
  await done
}

/** The sums of whole days in [`start`, `until`), by cell. */
export interface WholeDays {
  readonly days: DaySums
  readonly from: number
  readonly to: number
  /** Where they end: what is later is added up one by one. */
  readonly until: number
}

/** The cell that begins at `time`; -1: none does. */
function cellAt({ edges, isWhole }: DaySums, time: number): number {
  if (isWhole && time < edgeOf(edges, 1)) return 1
  const cell = cellBefore(edges, time)
  return edgeOf(edges, cell) === time ? cell : -1
}

/** What of the time between `bounds` that is over at `now` lies in whole days; undefined where nothing does. */
export function wholeDays(
  charges: Charges,
  bounds: readonly number[],
  now: number,
): (WholeDays & { bucketOf(cell: number): number }) | undefined {
  const days = sumsOf.get(charges)
  const [start = 0, end = 0] = [bounds[0], bounds.at(-1)]
  if (!days) return undefined
  const to = cellBefore(days.edges, Math.min(now, days.until, end))
  const until = edgeOf(days.edges, to)
  if (until <= start) return undefined
  const buckets = new Int32Array(to).fill(-1)
  for (let bucket = 0; bucket < bounds.length - 1; bucket += 1) {
    const [begin = 0, over = 0] = [bounds[bucket], bounds[bucket + 1]]
    if (begin >= until) break
    const [from, upTo] = [cellAt(days, begin), over >= until ? to : cellAt(days, over)]
    if (from < 0 || upTo < 0) return undefined
    buckets.fill(bucket, from, upTo)
  }
  const from = cellAt(days, start)
  return { days, from, to, until, bucketOf: (cell) => buckets[cell] ?? -1 }
}

/**
 * Calls `add` for what falls on each day of a resource (its index in the charges) and a reported currency, where `wanted`
 * says so: it is asked where anything does.
 */
export function eachDaySum(
  { days, from, to }: WholeDays,
  wanted: (resource: number, currency: number) => boolean,
  add: (cell: number, amount: number, resource: number, currency: number) => void,
): void {
  for (const { kinds, amounts, met } of days.parts)
    for (let line = 0; line < amounts.first.length; line += 1) {
      const [place, over] = [amounts.offset[line] ?? 0, amounts.offset[line + 1] ?? 0]
      const shift = place - (amounts.first[line] ?? 0)
      const end = Math.min(over, to + shift)
      let begin = Math.max(place, from + shift)
      while (begin < end && met[begin] !== 1) begin += 1
      if (begin >= end) continue
      const currency = line % kinds
      const resource = (line - currency) / kinds
      if (!wanted(resource, currency)) continue
      for (let at = begin; at < end; at += 1)
        if (met[at] === 1) add(at - shift, amounts.values[at] ?? 0, resource, currency)
    }
}

/** Seconds that are covered on these days, by resource (its index in the charges). */
export function daySeconds(
  { days, from, to }: WholeDays,
  add: (resource: number, seconds: number) => void,
): void {
  for (const { seconds } of days.parts)
    for (let resource = 0; resource < seconds.first.length; resource += 1) {
      const [place, over] = [seconds.offset[resource] ?? 0, seconds.offset[resource + 1] ?? 0]
      const shift = place - (seconds.first[resource] ?? 0)
      let sum = 0
      for (let at = Math.max(place, from + shift); at < Math.min(over, to + shift); at += 1)
        sum += seconds.values[at] ?? 0
      if (sum > 0) add(resource, sum)
    }
}

/** For `countBefore`: the first statement that may reach beyond `time`. */
export const firstReaching = (charges: Charges, time: number): number =>
  countBefore(charges, time - charges.longest)
