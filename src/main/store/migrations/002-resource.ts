import type { Migration } from '../migrate'

/**
 * What was seen of the resources of an account, kept also for those that no longer exist: neither statements nor usage
 * report a machine's GPU or region. Null was never reported; `gpu` is '' where there is known to be none. `currency` is the
 * one sent when it was created here, or reported with the resource itself. Times are epoch seconds.
 */
export const resource: Migration = {
  version: 2,
  name: 'resource',
  sql: `
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
  `,
}
