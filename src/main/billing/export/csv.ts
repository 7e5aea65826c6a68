import { type Options, stringify } from 'csv-stringify/sync'
import { systemTimeZone } from '#shared/money/calendar'
import { type Cell, type Column, decimalText } from './cell'
import type { TableWriter } from './write-table'

/** Longest time by which clocks go back, in seconds: zones that change their offset move by a day at most. */
const longestRepeat = 86_400

/** Returns how far local time is ahead of UTC, in minutes. `at`: epoch seconds. */
const offsetAt = (at: number): number => -new Date(at * 1000).getTimezoneOffset()

/** Whether another moment has the same local time, because the clocks went back. */
function isRepeated(at: number): boolean {
  const offset = offsetAt(at)
  return [-longestRepeat, longestRepeat].some((distance) => {
    const shift = (offset - offsetAt(at + distance)) * 60
    return shift !== 0 && offsetAt(at + shift) * 60 === offset * 60 - shift
  })
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
/** Formats an offset from UTC in minutes: "+02:00". */
const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`

/**
 * Formats epoch seconds as a date and time that spreadsheets recognise, in the zone of `zoneColumn`. In an hour that
 * repeats because the clocks go back, the offset from UTC follows, so that each text means one moment.
 */
function spreadsheetTime(at: number): string {
  const offset = offsetAt(at)
  const local = new Date((at + offset * 60) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return isRepeated(at) ? `${local} ${offsetText(offset)}` : local
}

/** Column that names the zone of a row's times and days, such as Europe/Berlin: this computer's. */
export const zoneColumn: Column<unknown> = {
  key: 'time_zone',
  cell: systemTimeZone,
}

/** Start of a cell that a spreadsheet runs as a formula. Apple Numbers reads the full-width forms too. */
const formulaCell = /^(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/
/** A further line of a cell: a reader that splits lines before it reads quotes finds it at the start of a row. */
const formulaLine = /([\r\n])(?=[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])/g

/** Prefixes each line of `text` that a spreadsheet would run with an apostrophe. */
const withoutFormulas = (text: string): string => text.replace(formulaLine, "$1'").replace(formulaCell, "'")

const options: Options = {
  // RFC 4180.
  record_delimiter: '\r\n',
  // csv-stringify 6.9.0 (lib/api/normalize_options.js) leaves a lone CR or LF unquoted if a record delimiter is set.
  quote_record_delimiter: true,
  // Numbers and amounts are not texts: -5 stays -5.
  cast: {
    string: withoutFormulas,
    boolean: (value) => (value ? 'true' : 'false'),
    bigint: decimalText,
  },
}

const field = (cell: Cell): string | number | boolean | bigint | null =>
  typeof cell === 'object' && cell !== null ? spreadsheetTime(cell.at) : cell

/** Formats rows as CSV, without a header. Pure. */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => row.map(field)),
        options,
      )

/**
 * CSV for spreadsheets: comma, CRLF, UTF-8 with a byte order mark. Excel reads a file without the mark as Latin-1.
 * Programs use JSON, or skip the mark.
 */
export const csvWriter = <Row>(columns: readonly Column<Row>[]): TableWriter<Row> => ({
  extension: 'csv',
  head: '\uFEFF' + csvRows([columns.map(({ key }) => key)]),
  rows: (rows) => csvRows(rows.map((row) => columns.map(({ cell }) => cell(row)))),
  tail: '',
})
