import { type Options, stringify } from 'csv-stringify/sync'
import { systemTimeZone } from '#shared/money/calendar'
import { type Cell, type Column, decimalText } from './cell'
import type { TableWriter } from './write-table'

/** Formats epoch seconds as a date and time that spreadsheets recognise, in the zone of `zoneColumn`. */
function spreadsheetTime(at: number): string {
  const time = new Date(at * 1000)
  const local = new Date(at * 1000 - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
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
