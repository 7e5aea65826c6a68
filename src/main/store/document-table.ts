import type { AccountId } from '#shared/bridge/account'
import { isKeyOf } from '#shared/resource-key'
import { isRecord } from './renamed-fields'
import type { Database } from './sql'

/** The private documents of the encrypted file, by name. Every method fails with local-fault. */
export const documentTable = (database: Database) => ({
  /** Undefined where there is none. */
  read(name: string): unknown {
    const json = database.prepare('SELECT json FROM document WHERE name = ?').get(name)?.json
    return typeof json === 'string' ? JSON.parse(json) : undefined
  },
  write(name: string, value: unknown): void {
    database.prepare('INSERT OR REPLACE INTO document VALUES (?, ?)').run(name, JSON.stringify(value))
  },
  names: (): readonly string[] =>
    database
      .prepare('SELECT name FROM document')
      .arrays()
      .flat()
      .filter((name) => typeof name === 'string'),
})
export type DocumentTable = ReturnType<typeof documentTable>

/** A document without what it holds of an account: by its id as a key, or in the field `account`. Pure. */
export function withoutAccount(value: unknown, account: AccountId): unknown {
  if (Array.isArray(value))
    return value
      .filter((one) => !isRecord(one) || one.account !== account)
      .map((one) => withoutAccount(one, account))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== account && !isKeyOf(account, key))
      .map(([key, one]) => [key, withoutAccount(one, account)]),
  )
}

/**
 * Removes what the file holds of accounts, the ledger's rows aside (src/main/billing/ledger, which removes them in small
 * steps): all of it or nothing. Fails with local-fault.
 */
export function eraseAccounts(database: Database, accounts: readonly AccountId[]): void {
  const table = documentTable(database)
  database.transaction(() => {
    for (const account of accounts) {
      for (const name of table.names()) table.write(name, withoutAccount(table.read(name), account))
      for (const rows of ['resource', 'gpu_sample'])
        database.prepare(`DELETE FROM ${rows} WHERE account = ?`).run(account)
    }
  })
}
