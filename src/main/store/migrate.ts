import type { Database } from './sql'

/** One step of the schema. A step that has been released is never changed again. */
export interface Migration {
  /** Numbered from 1 without a gap: the database's user_version once the step is done. */
  readonly version: number
  readonly name: string
  /** Run in one transaction with the change of user_version. */
  readonly sql: string
}

/** The version of a database's schema: 0 for a new one. Fails with local-fault. */
export const schemaVersion = (database: Database): number => {
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  return typeof version === 'number' ? version : 0
}

/** The highest version that these steps lead to. */
export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

/** Takes every step that the database has not taken, each in a transaction of its own. Fails with local-fault. */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  const version = schemaVersion(database)
  for (const step of migrations.filter((migration) => migration.version > version)) {
    database.transaction(() => {
      database.exec(step.sql)
      database.exec(`PRAGMA user_version = ${String(step.version)}`)
    })
  }
}
