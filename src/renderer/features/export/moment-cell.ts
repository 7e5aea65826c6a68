import type { ExportCell } from '#shared/bridge/export'

/** A moment in epoch seconds for a file, which writes it in its own way; null stays null. */
export const momentCell = (at: number | null): ExportCell => (at === null ? null : { at })
