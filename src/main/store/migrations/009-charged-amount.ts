import type { Migration } from '../migrate'

/**
 * Amount that a statement took, in millionths: 0 for the statuses of `unchargedStatuses`
 * (src/shared/service/billing.ts). The index of statements by resource contains it instead of the reported amount.
 */
export const chargedAmount: Migration = {
  version: 9,
  name: 'charged-amount',
  sql: `
    ALTER TABLE statement ADD COLUMN charged INTEGER GENERATED ALWAYS AS
      (CASE WHEN lower(status) IN ('failed', 'refunded', 'void') THEN 0 ELSE millionths END) VIRTUAL;
    DROP INDEX statement_resource;
    CREATE INDEX statement_resource ON statement
      (account, resource_id, due_time, started_time, charged, currency, resource_type);
  `,
}
