import type { Migration } from '../migrate'

/**
 * The list of machines of each account as the last run saw it (src/main/fleet/last-lists.ts): views as JSON, and when
 * the service listed them, in epoch seconds.
 */
export const lastList: Migration = {
  version: 6,
  name: 'last-list',
  sql: `
    CREATE TABLE last_list (
      account TEXT NOT NULL PRIMARY KEY,
      as_of REAL NOT NULL,
      json TEXT NOT NULL
    ) STRICT;
  `,
}
