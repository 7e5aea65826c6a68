/** Value of a column. Integers are safe; amounts are whole millionths (src/shared/money). */
export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/**
 * A prepared statement. Calls are synchronous and block the main process. The number of values must match the
 * parameters. Texts may contain NUL; in JSON that SQL itself reads or writes, NUL is escaped (statement-text.ts).
 */
export interface Prepared {
  /** Returns the number of changed rows. */
  run(...values: readonly SqlValue[]): number
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  get(...values: readonly SqlValue[]): SqlRow | undefined
  /** As `all`, with each row as an array of its columns: the fastest way to read many rows. */
  arrays(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[]
}

/**
 * The open database with its tables. Every method fails with local-fault if the disk is full, the file is damaged or
 * the statement is wrong; the store's state then shows the cause.
 */
export interface Database {
  prepare(sql: string): Prepared
  /** Runs one or more statements without values. */
  exec(sql: string): void
  /** Commits all changes of `work` or none. It blocks the main process, so it must be short. Cannot be nested. */
  transaction<Value>(work: () => Value): Value
}
