import type { Migration } from '../migrate'

/**
 * Statements of a period are read by resource, from an index that holds all that costs need, in the order in which they
 * end (src/main/billing/charge-store.ts). So an index of long ones is not needed; the few that end before they begin, as a
 * service may report, have one.
 */
export const statementsByResource: Migration = {
  version: 8,
  name: 'statements-by-resource',
  sql: `
    DROP INDEX statement_resource;
    DROP INDEX statement_long;
    CREATE INDEX statement_resource ON statement
      (account, resource_id, due_time, started_time, millionths, currency, resource_type);
    CREATE INDEX statement_reversed ON statement (account, started_time) WHERE due_time < started_time;
  `,
}
