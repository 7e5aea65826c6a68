/** A moment, in epoch seconds. */
interface Moment {
  readonly at: number
}

/**
 * What stands in one place of an exported table. A whole number without limit is an amount in millionths of its unit:
 * it is written with all its digits, never through binary fractions.
 */
export type Cell = string | number | boolean | bigint | Moment | null

/** An exported table: its columns are named as in the service's own answers where it has them (api-spec.md §2). */
export interface Column<Row> {
  readonly key: string
  cell(row: Row): Cell
}

/** "-12.345678": as short as it can be without losing anything. */
export function decimalText(millionths: bigint): string {
  const size = millionths < 0n ? -millionths : millionths
  const fraction = (size % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  const whole = (size / 1_000_000n).toString()
  return `${millionths < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
