/** The data of a chart as text; the first cell of a row is its name. */
export interface ChartTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
