/** What a column holds. Integers are safe ones: amounts are whole millionths (src/shared/money). */
export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/**
 * One statement, prepared once. Everything is synchronous, and blocks the main process while it lasts. Values are as
 * many as the statement has parameters. Texts come back as they were given, NUL included; inside JSON that SQL itself
 * reads or makes, they are escaped (statement-text.ts).
 */
export interface Prepared {
  /** Answers how many rows it changed. */
  run(...values: readonly SqlValue[]): number
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  get(...values: readonly SqlValue[]): SqlRow | undefined
  /** As `all`, each row as its columns' values in order: the quickest way to many rows. */
  arrays(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[]
}

/**
 * The open, migrated database. Every method fails with local-fault where the disk is full, the file is damaged or the
 * statement is wrong; the store's state then says which.
 */
export interface Database {
  /** The same text is prepared once. */
  prepare(sql: string): Prepared
  /** One statement or several, without values. */
  exec(sql: string): void
  /** All of it or nothing. Keep it small (a page of rows): the main process waits. Not to be nested. */
  transaction<Value>(work: () => Value): Value
}
