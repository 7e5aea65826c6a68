import type { Measured } from '#shared/bridge/gpu'

/** Unit of a value and the range of plausible numbers. */
export interface Quantity {
  /** Unit after the number in the tool's output; empty if it prints none. */
  readonly unit: string
  readonly from: number
  readonly to: number
}

export const percent: Quantity = { unit: '%', from: 0, to: 100 }
export const mebibytes: Quantity = { unit: 'MiB', from: 0, to: 100_000_000 }
export const watts: Quantity = { unit: 'W', from: 0, to: 100_000 }
export const megahertz: Quantity = { unit: 'MHz', from: 0, to: 100_000 }
/** nvidia-smi prints temperatures without a unit, always in °C. */
export const celsius: Quantity = { unit: '', from: -60, to: 250 }
export const count: Quantity = { unit: '', from: 0, to: Number.MAX_SAFE_INTEGER }

const number = /^-?\d+(?:\.\d+)?(?= |%|$)/
const commaNumber = /^-?\d+(?:,\d+)+(?:\.\d+)?(?= |%|$)/

const placeholders: readonly (readonly [RegExp, Extract<Measured, string>])[] = [
  [/^\[?(?:n\/a|not available)\]?$/i, 'not-available'],
  [/^\[(?:not supported|requested functionality has been deprecated)\]$/i, 'not-supported'],
  [/^\[insufficient permissions\]$/i, 'no-permission'],
  // [Unknown Error], [GPU is lost], [GPU requires reset], ERR!
  [/^\[[^\]]+\]$|^ERR!?$/i, 'error'],
]

/** Returns the kind of placeholder in a cell; undefined if it is not a known placeholder. */
export const placeholder = (cell: string): Extract<Measured, string> | undefined =>
  placeholders.find(([pattern]) => pattern.test(cell))?.[1]

/**
 * Parses a cell such as "67.42 W". Rejects numbers with a wrong or missing unit, outside the plausible range, or with a
 * comma.
 */
export function measured(cell: string, { unit, from, to }: Quantity): Measured {
  const text = cell.trim()
  const placeholderKind = placeholder(text)
  if (placeholderKind) return placeholderKind
  const [digits] = number.exec(text) ?? []
  if (digits === undefined) {
    const [commas] = commaNumber.exec(text) ?? []
    return commas !== undefined && text.slice(commas.length).trim() === unit
      ? 'decimal-comma'
      : 'not-understood'
  }
  const value = Number(digits)
  const unitText = text.slice(digits.length).trim()
  return unitText === unit && value >= from && value <= to ? value : 'not-understood'
}
