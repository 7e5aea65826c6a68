import type { ExportCell, ExportedRows } from '#shared/bridge/export'

/** Returns a time in epoch seconds as a cell, which each format writes in its own way. */
export const momentCell = (at: number | null): ExportCell => (at === null ? null : { at })

/** Returns the export of a list. `columns` returns the cell of a row under the column's name in the file. */
export const rowExport = <Row>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => ExportCell>>,
): ExportedRows => ({
  kind: 'rows',
  name,
  columns: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
})
