import type { AccountId } from '#shared/bridge/account'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { isRecord } from '../core/is-record'
import type { Database } from './sql'

/** Returns malformed JSON as text, as the parser's message would quote it. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Private documents in the encrypted file, by name. Every method fails with local-fault. */
export const documentTable = (database: Database) => ({
  /** Returns undefined for a missing document, and the text of malformed JSON. */
  read(name: string): unknown {
    const json = database.prepare('SELECT json FROM document WHERE name = ?').get(name)?.json
    return typeof json === 'string' ? parsed(json) : undefined
  },
  write(name: string, value: unknown): void {
    database.prepare('INSERT OR REPLACE INTO document VALUES (?, ?)').run(name, JSON.stringify(value))
  },
  remove(name: string): void {
    database.prepare('DELETE FROM document WHERE name = ?').run(name)
  },
  names: (): readonly string[] =>
    database
      .prepare('SELECT name FROM document')
      .arrays()
      .flat()
      .filter((name) => typeof name === 'string'),
})
export type DocumentTable = ReturnType<typeof documentTable>

/** Removes the data of an account: entries under its id, and list elements whose `account` or `id` it is. Pure. */
export function withoutAccount(value: unknown, account: AccountId): unknown {
  if (Array.isArray(value))
    return value
      .filter((element) => !isRecord(element) || (element.account !== account && element.id !== account))
      .map((element) => withoutAccount(element, account))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== account && !isKeyOf(account, key))
      .map(([key, inner]) => [key, withoutAccount(inner, account)]),
  )
}

/** Removes an account from a document. A text that still names the account afterwards is deleted. */
function eraseAccount(table: DocumentTable, name: string, account: AccountId): void {
  const value = table.read(name)
  if (typeof value !== 'string') return table.write(name, withoutAccount(value, account))
  const document = parsed(value)
  const rest = isRecord(document) ? JSON.stringify(withoutAccount(document, account)) : value
  if ([`"${account}"`, `"${resourceKey(account, '')}`].some((key) => rest.includes(key))) table.remove(name)
  else table.write(name, rest)
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Removes an account from a database of any schema: rows by their column `account`, and parts of documents. Returns false
 * if a text in the database still contains the account's id. Fails with local-fault.
 */
export function eraseFromAnySchema(database: Database, account: AccountId): boolean {
  const textsOf = (sql: string): readonly string[] =>
    database
      .prepare(sql)
      .arrays()
      .flat()
      .filter((value) => typeof value === 'string')
  const tables = textsOf("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  const columnsOf = (table: string): readonly string[] =>
    textsOf(`SELECT name FROM pragma_table_info('${table.replaceAll("'", "''")}')`)
  database.exec('PRAGMA secure_delete = ON')
  return database.transaction(() => {
    for (const table of tables) {
      if (columnsOf(table).includes('account'))
        database.prepare(`DELETE FROM ${quoted(table)} WHERE account = ?`).run(account)
    }
    if (
      ['name', 'json'].every(
        (column) => tables.includes('document') && columnsOf('document').includes(column),
      )
    ) {
      const documents = documentTable(database)
      for (const name of documents.names()) eraseAccount(documents, name, account)
    }
    return tables.every((table) =>
      columnsOf(table).every(
        (column) =>
          database
            .prepare(
              `SELECT 1 FROM ${quoted(table)} WHERE instr(CAST(${quoted(column)} AS TEXT), ?) > 0 LIMIT 1`,
            )
            .get(account) === undefined,
      ),
    )
  })
}

/** State of the ledger of a forgotten account, whose rows are yet to be deleted (src/main/billing/ledger). */
export const forgottenLedger = JSON.stringify({ forgotten: true })

/** Marks the ledgers of forgotten accounts; their rows are deleted in small steps. Fails with local-fault. */
export function markForgottenLedgers(database: Database, accounts: readonly AccountId[]): void {
  const mark = database.prepare(
    "INSERT OR REPLACE INTO ledger_sync (account, list, state) VALUES (?, 'statements', ?)",
  )
  database.transaction(() => accounts.forEach((account) => mark.run(account, forgottenLedger)))
}

/** Deletes the data of accounts, except the ledger, in one transaction. Fails with local-fault. */
export function eraseAccounts(database: Database, accounts: readonly AccountId[]): void {
  const table = documentTable(database)
  database.transaction(() => {
    for (const account of accounts) {
      for (const name of table.names()) eraseAccount(table, name, account)
      for (const rows of ['resource', 'gpu_sample', 'cost_line', 'cost_day', 'cost_calendar', 'covered_time'])
        database.prepare(`DELETE FROM ${rows} WHERE account = ?`).run(account)
    }
  })
}
