import type { Database } from './sql'

/** Tables and indexes of the store, with the number under which a file records them (PRAGMA user_version). */
export interface Schema {
  /** Above 0, which is the version of a new file. */
  readonly version: number
  readonly sql: string
}

/** Schema version of a database: 0 for a new one. Fails with local-fault. */
export const schemaVersion = (database: Database): number => {
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  return typeof version === 'number' ? version : 0
}

/** Creates the tables of a new database and records the version, in one transaction. Fails with local-fault. */
export function createTables(database: Database, { version, sql }: Schema): void {
  if (schemaVersion(database) === version) return
  database.transaction(() => {
    database.exec(sql)
    database.exec(`PRAGMA user_version = ${String(version)}`)
  })
}

/**
 * Statements that `cost_day` spreads over days: at most 100 days long, and begun between 2000 and 2100. In seconds and
 * epoch seconds. Any other statement would fill thousands of rows and is read by itself.
 */
export const spreadLimits = { seconds: 100 * 86_400, from: 946_684_800, until: 4_102_444_800 } as const

/** SQL condition of statements beyond `spreadLimits`. */
export const isUnspread = `(due_time - started_time > ${String(spreadLimits.seconds)}
  OR started_time < ${String(spreadLimits.from)} OR started_time >= ${String(spreadLimits.until)})`

/**
 * Statements and usage as the service reports them (api-spec.md §2), per account, in the order of time.
 * - Times are epoch seconds. A statement covers [started_time, due_time).
 * - `millionths` and `total_fee` are whole millionths of the currency's unit; `per_minute` is the decimal text of the
 *   service, since a fee per minute may be finer.
 * - `charged`: amount that a statement took, 0 for the statuses of `unchargedStatuses` (src/shared/service/billing.ts).
 * - `currency` is null if the answer contained none.
 * - `seen_sweep` is the last full reading that contained the row. A completed reading deletes all rows of earlier readings.
 * - `seen_at`: when the service last listed a usage entry. Pages are read one at a time, so entries differ in age.
 * - `ledger_sync`: progress of reading each list (src/main/billing/ledger), as JSON.
 */
const ledger = `
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
    charged INTEGER GENERATED ALWAYS AS
      (CASE WHEN lower(status) IN ('failed', 'refunded', 'void') THEN 0 ELSE millionths END) VIRTUAL,
    PRIMARY KEY (account, started_time, id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX statement_id ON statement (account, id);
  -- Statements that may still change.
  CREATE INDEX statement_unsettled ON statement (account, due_time, started_time)
    WHERE status IS NULL OR status <> 'paid';
  CREATE INDEX statement_resource ON statement (account, resource_id, due_time);
  -- The few statements beyond spreadLimits.
  CREATE INDEX statement_unspread ON statement (account) WHERE ${isUnspread};

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
    seen_at INTEGER,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_entry_resource ON usage_entry (account, resource_id);

  CREATE TABLE ledger_sync (
    account TEXT NOT NULL,
    list TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (account, list)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Charges by day, written in the transaction that writes the statements (src/main/billing/cost-day-table.ts).
 * - `cost_line`: a resource and a reported currency ('' if none). `last_end`: upper bound on the end of its statements.
 *   `line` is unique across accounts.
 * - `cost_day`: a row per local day. `day` is its first second (epoch seconds). `lines` (32-bit integers) and `millionths`
 *   (doubles that hold integers) are packed in one array each, little-endian: see docs/performance.md for the reason.
 * - `cost_calendar`: time zone of the days and version of its rules, as in "Europe/Berlin 2025b". While days are rebuilt,
 *   they contain the statements that began before `done_until`; null: they contain all.
 * - `covered_time`: periods [since, until) that statements above zero pay for, merged, so that no two of a resource touch.
 */
const costs = `
  CREATE TABLE cost_line (
    line INTEGER NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    last_end INTEGER NOT NULL,
    UNIQUE (account, resource_id, currency)
  ) STRICT;
  CREATE TABLE cost_day (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    lines BLOB NOT NULL,
    millionths BLOB NOT NULL,
    PRIMARY KEY (account, day)
  ) STRICT;
  CREATE TABLE cost_calendar (
    account TEXT NOT NULL PRIMARY KEY,
    time_zone TEXT NOT NULL,
    done_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE covered_time (
    account TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (account, resource_id, until)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Properties of an account's resources, also of deleted ones: neither statements nor usage report a machine's GPU or
 * region. Null: never reported; `gpu` is '' for a machine without one. `currency`: of the order or the resource
 * itself. Times are epoch seconds.
 */
const resource = `
  CREATE TABLE resource (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT,
    flavor TEXT,
    gpu TEXT,
    gpu_count REAL,
    region TEXT,
    currency TEXT,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;
`

/**
 * Load of each GPU of a machine: a row covers `period` seconds (60 or 3600) from `time` (epoch seconds) on, and sums up
 * `samples` readings (a minute) or minutes (an hour). Utilization in percent, memory in MiB, power in watts, temperature
 * in °C; null if the driver reported none. `utilization_max` and `temperature_max` are maxima, the rest averages.
 * Minutes become hours after a week; hours are deleted after 90 days.
 */
const gpuSample = `
  CREATE TABLE gpu_sample (
    account TEXT NOT NULL,
    machine TEXT NOT NULL,
    period INTEGER NOT NULL,
    time INTEGER NOT NULL,
    gpu TEXT NOT NULL,
    gpu_index INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    utilization REAL,
    utilization_max REAL,
    activity REAL,
    activity_estimated INTEGER NOT NULL,
    memory_used REAL,
    memory_total REAL,
    temperature_max REAL,
    power REAL,
    PRIMARY KEY (account, machine, period, time, gpu)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX gpu_sample_age ON gpu_sample (period, time);
`

/** Private documents of modules (private-documents.ts): one JSON text each, by name. */
const document = `
  CREATE TABLE document (
    name TEXT NOT NULL PRIMARY KEY,
    json TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

export const schema: Schema = {
  version: 1,
  sql: [ledger, costs, resource, gpuSample, document].join(''),
}
