/** A moment, in epoch seconds. */
interface Moment {
  readonly at: number
}

/**
 * Cell of an exported table. A bigint is an amount in millionths, written with all its digits and never through
 * binary fractions.
 */
export type Cell = string | number | boolean | bigint | Moment | null

/** Column of an exported table, named as in the service's own answers if possible (api-spec.md §2). */
export interface Column<Row> {
  readonly key: string
  cell(row: Row): Cell
}

/** Formats an amount as the shortest exact text: "-12.345678". */
export function decimalText(millionths: bigint): string {
  const size = millionths < 0n ? -millionths : millionths
  const fraction = (size % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  const whole = (size / 1_000_000n).toString()
  return `${millionths < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
