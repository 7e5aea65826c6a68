import { type Cell, type Column, decimalText } from './cell'
import type { TableWriter } from './write-table'

const value = (cell: Cell): string | number | boolean | null => {
  if (typeof cell === 'bigint') return decimalText(cell)
  return typeof cell === 'object' ? (cell?.at ?? null) : cell
}

/**
 * JSON for programs: an array with an object per line. Times are epoch seconds, as in the service. Amounts are
 * decimal text, so that no binary fraction changes them.
 */
export const jsonWriter = <Row>(columns: readonly Column<Row>[]): TableWriter<Row> => ({
  extension: 'json',
  head: '[',
  rows: (rows, first) =>
    rows
      .map((row, index) => {
        const entries = columns.map(({ key, cell }) => [key, value(cell(row))] as const)
        return `${first && index === 0 ? '' : ','}\n${JSON.stringify(Object.fromEntries(entries))}`
      })
      .join(''),
  tail: '\n]\n',
})
