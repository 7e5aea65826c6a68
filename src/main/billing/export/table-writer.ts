/** A table as the text of a file: `head`, then rows as they come, then `tail`. */
export interface TableWriter<Row> {
  readonly extension: string
  readonly head: string
  /** `first`: nothing was written but the head. */
  rows(rows: readonly Row[], first: boolean): string
  readonly tail: string
}
