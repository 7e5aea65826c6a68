/** What a chart shows, as words: the first cell of a row names it. */
export interface ChartTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
