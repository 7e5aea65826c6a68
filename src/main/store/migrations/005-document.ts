import type { Migration } from '../migrate'

/** What modules keep that is private (src/main/store/private-documents.ts): a JSON text each, by name. */
export const document: Migration = {
  version: 5,
  name: 'document',
  sql: `
    CREATE TABLE document (
      name TEXT NOT NULL PRIMARY KEY,
      json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
