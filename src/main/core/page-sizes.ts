/** Records requested per page. The specification names no maximum (api-spec.md §1, common list query parameters). */
export const pageSizes = { resources: 200 } as const
