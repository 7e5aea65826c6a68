import type { Migration } from '../migrate'

/**
 * When the service last listed a usage entry, in epoch seconds: a list of more than one page is read a page at a time,
 * so that entries are of different age. Null: listed last before this column was there.
 */
export const usageSeenAt: Migration = {
  version: 4,
  name: 'usage-seen-at',
  sql: 'ALTER TABLE usage_entry ADD COLUMN seen_at INTEGER;',
}
