import type { Migration } from '../migrate'

/**
 * Statements and usage as the service reports them (api-spec.md §2), per account.
 * - Times are epoch seconds. A statement covers [started_time, due_time).
 * - `millionths` and `total_fee` are whole millionths of the currency's unit; `per_minute` is the service's own decimal
 *   text, since a fee per minute may be finer.
 * - `currency` is what the answer carried; null where it carried none.
 * - `seen_sweep` is the last full reading that met the row. What a completed one did not meet is deleted.
 *
 * Statements lie in the order of time, since that is how they are added up.
 */
export const ledger: Migration = {
  version: 1,
  name: 'ledger',
  sql: `
    CREATE TABLE statement (
      account TEXT NOT NULL,
      id TEXT NOT NULL,
      resource_id TEXT NOT NULL,
      resource_type TEXT NOT NULL,
      started_time INTEGER NOT NULL,
      due_time INTEGER NOT NULL,
      type TEXT,
      status TEXT,
      millionths INTEGER NOT NULL,
      currency TEXT,
      seen_sweep INTEGER NOT NULL,
      PRIMARY KEY (account, started_time, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX statement_id ON statement (account, id);
    -- What may still change: found at each turn without looking at the rest.
    CREATE INDEX statement_unsettled ON statement (account, due_time, started_time)
      WHERE status IS NULL OR status <> 'paid';
    CREATE INDEX statement_resource ON statement (account, resource_id);

    CREATE TABLE usage_entry (
      account TEXT NOT NULL,
      id TEXT NOT NULL,
      resource_id TEXT NOT NULL,
      name TEXT,
      display_name TEXT,
      type TEXT,
      per_minute TEXT,
      total_fee INTEGER,
      total_uptime INTEGER,
      created_time INTEGER,
      terminated_time INTEGER,
      status TEXT,
      currency TEXT,
      seen_sweep INTEGER NOT NULL,
      PRIMARY KEY (account, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX usage_entry_resource ON usage_entry (account, resource_id);

    -- How far the reading of each list has come (src/main/billing/ledger), as JSON.
    CREATE TABLE ledger_sync (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (account, list)
    ) STRICT, WITHOUT ROWID;
  `,
}
