import { type Options, stringify } from 'csv-stringify/sync'
import { type Cell, type Column, decimalText } from './cell'
import type { TableWriter } from './write-table'

/** What spreadsheets read as a date by themselves, in UTC. */
const spreadsheetTime = (at: number): string =>
  new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')

const options: Options = {
  // RFC 4180.
  record_delimiter: '\r\n',
  // A text that a spreadsheet would run gets an apostrophe in front. Numbers and amounts are no text: -5 stays -5.
  escape_formulas: true,
  cast: {
    boolean: (value) => (value ? 'true' : 'false'),
    bigint: decimalText,
  },
}

const field = (cell: Cell): string | number | boolean | bigint | null =>
  typeof cell === 'object' && cell !== null ? spreadsheetTime(cell.at) : cell

/** Rows as CSV, without a header. Pure. */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => row.map(field)),
        options,
      )

/**
 * CSV for spreadsheets: comma, CRLF, UTF-8. It begins with a byte order mark, without which Excel takes the names for
 * Latin-1; whoever reads it by program takes JSON, or drops the mark.
 */
export const csvWriter = <Row>(columns: readonly Column<Row>[]): TableWriter<Row> => ({
  extension: 'csv',
  head: '\uFEFF' + csvRows([columns.map(({ key }) => key)]),
  rows: (rows) => csvRows(rows.map((row) => columns.map(({ cell }) => cell(row)))),
  tail: '',
})
