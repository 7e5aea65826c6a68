/** One step of the schema. A step that has been released is never changed again. */
export interface Migration {
  /** Numbered from 1 without a gap: the database's user_version once the step is done. */
  readonly version: number
  readonly name: string
  /** Run in one transaction with the change of user_version. */
  readonly sql: string
}
