import type { Migration } from '../migrate'

/**
 * Statements of a period are read without those before it: until when each resource is covered by any, and the few that
 * reach into the period from more than two days before it (src/main/billing/charge-store.ts).
 */
export const recentStatements: Migration = {
  version: 7,
  name: 'recent-statements',
  sql: `
    DROP INDEX statement_resource;
    CREATE INDEX statement_resource ON statement (account, resource_id, due_time);
    CREATE INDEX statement_long ON statement (account, due_time) WHERE due_time - started_time > 172800;
  `,
}
