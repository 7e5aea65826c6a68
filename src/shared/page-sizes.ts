/** Records requested per page. The specification names no maximum (api-spec.md §1, common list query parameters). */
export const pageSizes = {
  resources: 200,
  /** Statements and usage, read whole: often tens of thousands, and usage every minute. */
  ledger: 1_000,
  /** Statements and usage for an export or a total, which may be cancelled between pages. */
  sweep: 200,
  /** Statements and usage in the window, which loads only visible pages. */
  entriesInView: 100,
  firewallRules: 20,
} as const
