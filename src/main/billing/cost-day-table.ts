import type { AccountId } from '#shared/bridge/account'
import { calendarIn } from '#shared/money/calendar'
import { yieldToEventLoop } from '../core/clock'
import type { Database, SqlValue } from '../store/database'
import { isUnspread } from '../store/schema'
import { originalText, storedText } from '../store/statement-text'
import { type Charge, isSpread } from './costs/charge'
import { eachDayPart, type LocalDays, localDays } from './costs/day-parts'
import { type ChargeChange, coveredTime } from './covered-time'
import { numberOf, numberOrNull, textOf, textOrNull } from './row-values'

/** Statements that one step of a rebuild adds: a few milliseconds, which the main process waits. */
const rebuiltAtOnce = 5_000

/** Sums by the first second of a day, then by line. */
type DaySums = Map<number, Map<number, number>>

/** Version of this program's time-zone rules. A new version can move the days of the same zone. */
const currentRules = process.versions.tz ?? ''

interface CostCalendar {
  readonly timeZone: string
  /** Version of the time-zone rules that the days were made with. */
  readonly rules: string
  /** The days contain the statements that began before (epoch seconds). */
  readonly doneUntil: number
}

const chargeColumns = 'resource_id, resource_type, started_time, due_time, charged, currency'
const chargeOf = ([resource, type, from, until, charged, currency]: readonly SqlValue[]): Charge => ({
  resource: textOf(resource),
  type: textOrNull(type),
  from: numberOf(from),
  until: numberOf(until),
  millionths: numberOf(charged),
  currency: textOrNull(currency),
})

/** Charges with the same key belong to the same line. */
const keyOf = ({ resource, currency }: Charge): string => `${currency ?? ''} ${resource}`

/** Returns texts as JSON whose parts SQL compares with texts that the store holds. */
const jsonOf = (texts: readonly string[]): string => originalText(JSON.stringify(texts.map(storedText)))

/** Returns the bytes of a blob from an address that typed arrays accept, if possible without a copy. */
function aligned(blob: SqlValue | undefined): Uint8Array<ArrayBufferLike> {
  if (!(blob instanceof Uint8Array)) return new Uint8Array()
  return blob.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0 ? blob : new Uint8Array(blob)
}
/** Returns the arrays of a row of `cost_day`. */
export function dayArrays(lines: SqlValue | undefined, millionths: SqlValue | undefined) {
  const [ofLines, ofMillionths] = [aligned(lines), aligned(millionths)]
  return {
    lines: new Int32Array(
      ofLines.buffer,
      ofLines.byteOffset,
      ofLines.byteLength / Int32Array.BYTES_PER_ELEMENT,
    ),
    millionths: new Float64Array(
      ofMillionths.buffer,
      ofMillionths.byteOffset,
      ofMillionths.byteLength / Float64Array.BYTES_PER_ELEMENT,
    ),
  }
}

/** Table `cost_line` of one account. Methods fail with local-fault. */
function costLines(database: Database, account: AccountId) {
  /** Lines as they were read, by `keyOf`. Those of a transaction that may yet fail are read again. */
  const readLines = new Map<string, { readonly line: number; readonly lastEnd: number }>()

  /** Returns the line of charges that end at `lastEnd` at the latest. */
  function lineOf(charge: Charge, lastEnd: number): number {
    const { resource, currency } = charge
    const name = keyOf(charge)
    const cached = readLines.get(name)
    if (cached && cached.lastEnd >= lastEnd) return cached.line
    const key = [account, resource, currency ?? ''] as const
    const [row] = database
      .prepare('SELECT line, last_end FROM cost_line WHERE account = ? AND resource_id = ? AND currency = ?')
      .arrays(...key)
    if (row) {
      const read = { line: numberOf(row[0]), lastEnd: numberOf(row[1]) }
      readLines.set(name, read)
      if (read.lastEnd >= lastEnd) return read.line
    }
    const written = database
      .prepare(
        `INSERT INTO cost_line (account, resource_id, currency, last_end) VALUES (?, ?, ?, ?)
         ON CONFLICT (account, resource_id, currency) DO UPDATE SET last_end = excluded.last_end RETURNING line`,
      )
      .arrays(...key, lastEnd)
    return numberOf(written[0]?.[0])
  }

  /** Returns the line of each of these charges, by `keyOf`. */
  function linesOf(charges: readonly Charge[]): ReadonlyMap<string, number> {
    const ends = new Map<string, { readonly charge: Charge; lastEnd: number }>()
    for (const charge of charges) {
      const key = keyOf(charge)
      const lastEnd = Math.max(charge.from, charge.until)
      const known = ends.get(key)
      if (known) known.lastEnd = Math.max(known.lastEnd, lastEnd)
      else ends.set(key, { charge, lastEnd })
    }
    return new Map([...ends].map(([key, { charge, lastEnd }]) => [key, lineOf(charge, lastEnd)]))
  }

  return { linesOf, clear: (): void => readLines.clear() }
}

/** Adds sums to the days in the store. Fails with local-fault. */
function writeDays(database: Database, account: AccountId, sums: DaySums): void {
  const read = database.prepare('SELECT lines, millionths FROM cost_day WHERE account = ? AND day = ?')
  const put = database.prepare(
    'INSERT OR REPLACE INTO cost_day (account, day, lines, millionths) VALUES (?, ?, ?, ?)',
  )
  for (const [day, changes] of sums) {
    const [row = []] = read.arrays(account, day)
    const { lines, millionths } = dayArrays(row[0], row[1])
    const all = new Map(Array.from(lines, (line, at) => [line, millionths[at] ?? 0]))
    for (const [line, change] of changes) {
      const sum = (all.get(line) ?? 0) + change
      if (sum === 0) all.delete(line)
      else all.set(line, sum)
    }
    if (all.size === 0)
      database.prepare('DELETE FROM cost_day WHERE account = ? AND day = ?').run(account, day)
    else
      put.run(
        account,
        day,
        Buffer.from(Int32Array.from(all.keys()).buffer),
        Buffer.from(Float64Array.from(all.values()).buffer),
      )
  }
}

/** Whether days were made for this time zone with the rules of this program. */
const isCurrent = (known: CostCalendar | undefined, zone: string): known is CostCalendar =>
  known?.timeZone === zone && known.rules === currentRules

/** Table `cost_calendar` of one account. Methods fail with local-fault. */
function storedCalendar(database: Database, account: AccountId) {
  function calendar(): CostCalendar | undefined {
    const row = database
      .prepare('SELECT time_zone, done_until FROM cost_calendar WHERE account = ?')
      .arrays(account)[0]
    if (!row) return undefined
    const [zone = '', rules = ''] = textOf(row[0]).split(' ')
    return { timeZone: zone, rules, doneUntil: numberOrNull(row[1]) ?? Infinity }
  }
  function setCalendar({ timeZone: zone, rules, doneUntil }: CostCalendar): void {
    database
      .prepare('INSERT OR REPLACE INTO cost_calendar (account, time_zone, done_until) VALUES (?, ?, ?)')
      .run(account, `${zone} ${rules}`, doneUntil === Infinity ? null : doneUntil)
  }
  return { calendar, setCalendar }
}

/**
 * Charges by day of one account (store/schema.ts): follows every change of its statements, in the transaction of that
 * change. `timeZone` is the IANA name for days of an account without statements. Methods fail with local-fault.
 */
export function costDayTable(database: Database, account: AccountId, timeZone: () => string) {
  const covered = coveredTime(database, account)
  const ownLines = costLines(database, account)
  let days: LocalDays | undefined

  function daysIn(zone: string): LocalDays {
    if (days?.timeZone !== zone) days = localDays(calendarIn(zone))
    return days
  }

  const { calendar, setCalendar } = storedCalendar(database, account)

  /** Sums charges by day, those in `removed` with the opposite sign. Skips charges that the days do not contain. */
  function sumDays(
    { timeZone: zone, doneUntil }: CostCalendar,
    added: readonly Charge[],
    removed: readonly Charge[],
  ): DaySums {
    const local = daysIn(zone)
    const lines = ownLines.linesOf([...added, ...removed])
    const sums: DaySums = new Map()
    const add = (charge: Charge, sign: 1 | -1): void => {
      if (!isSpread(charge) || charge.from >= doneUntil) return
      const line = lines.get(keyOf(charge)) ?? 0
      eachDayPart(charge, local, (day, millionths) => {
        const sumsOfDay = sums.get(day) ?? new Map<number, number>()
        sums.set(day, sumsOfDay)
        sumsOfDay.set(line, (sumsOfDay.get(line) ?? 0) + sign * millionths)
      })
    }
    added.forEach((charge) => add(charge, 1))
    removed.forEach((charge) => add(charge, -1))
    return sums
  }

  const hasStatements = (): boolean =>
    database.prepare('SELECT 1 FROM statement WHERE account = ? LIMIT 1').arrays(account).length > 0

  /** Adds the next statements to days that are being rebuilt. */
  function rebuildStep({ timeZone: zone, rules, doneUntil }: CostCalendar): void {
    const [following] = database
      .prepare(
        `SELECT started_time FROM statement WHERE account = ? AND started_time >= ?
         ORDER BY started_time LIMIT 1 OFFSET ${String(rebuiltAtOnce)}`,
      )
      .arrays(account, doneUntil)
    // Statements that begin in the same second are added together.
    const until = following === undefined ? Infinity : Math.max(doneUntil + 1, numberOf(following[0]))
    const rows = database
      .prepare(
        `SELECT ${chargeColumns} FROM statement
         WHERE account = ? AND started_time >= ? AND started_time < ? AND NOT ${isUnspread}`,
      )
      .arrays(account, doneUntil, Math.min(until, Number.MAX_SAFE_INTEGER))
    const next = { timeZone: zone, rules, doneUntil: until }
    writeDays(database, account, sumDays(next, rows.map(chargeOf), []))
    setCalendar(next)
  }

  return {
    /** Returns the charges of these statements, by id. */
    read: (ids: readonly string[]): Map<string, Charge> =>
      new Map(
        database
          .prepare(
            `SELECT statement.id, ${chargeColumns} FROM json_each(?2) AS listed
             CROSS JOIN statement INDEXED BY statement_id
               ON statement.account = ?1 AND statement.id = listed.value`,
          )
          .arrays(account, jsonOf(ids))
          .map(([id, ...row]) => [textOf(id), chargeOf(row)]),
      ),

    /** Follows changes of statements, which the table `statement` contains already. Belongs to their transaction. */
    update(changes: readonly ChargeChange[]): void {
      if (changes.length === 0) return
      let known = calendar()
      if (known === undefined) {
        known = { timeZone: timeZone(), rules: currentRules, doneUntil: Infinity }
        setCalendar(known)
      }
      const added = changes.flatMap(({ after }) => after ?? [])
      const removed = changes.flatMap(({ before }) => before ?? [])
      writeDays(database, account, sumDays(known, added, removed))
      covered.update(changes)
    },

    /** Whether the days use this time zone and contain all statements. */
    isBuilt(zone: string): boolean {
      const known = calendar()
      return known === undefined ? !hasStatements() : isCurrent(known, zone) && known.doneUntil === Infinity
    },

    /** Rebuilds the days in another time zone, or continues a rebuild, in small steps. */
    async rebuild(zone: string): Promise<void> {
      if (!isCurrent(calendar(), zone))
        database.transaction(() => {
          database.prepare('DELETE FROM cost_day WHERE account = ?').run(account)
          setCalendar({ timeZone: zone, rules: currentRules, doneUntil: Number.MIN_SAFE_INTEGER })
        })
      for (;;) {
        const known = calendar()
        if (!isCurrent(known, zone) || known.doneUntil === Infinity) return
        database.transaction(() => rebuildStep(known))
        await yieldToEventLoop()
      }
    },

    /** Removes the sums before the statements. If their removal stops halfway, the days are rebuilt from the rest. */
    clear(): void {
      ownLines.clear()
      database.transaction(() => {
        for (const table of ['cost_day', 'cost_line'])
          database.prepare(`DELETE FROM ${table} WHERE account = ?`).run(account)
        setCalendar({ timeZone: timeZone(), rules: currentRules, doneUntil: Number.MIN_SAFE_INTEGER })
      })
    },
    /** Removes the rest once no statement is left. */
    forget(): void {
      database.transaction(() => {
        covered.clear()
        database.prepare('DELETE FROM cost_calendar WHERE account = ?').run(account)
      })
    },
  }
}
export type CostDayTable = ReturnType<typeof costDayTable>
