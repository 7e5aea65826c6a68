import type { Measured } from '#shared/bridge/gpu'

/** What a value is written with, and between which numbers it makes sense. */
export interface Quantity {
  /** As the tool writes it behind the number; empty where it writes none. */
  readonly unit: string
  readonly from: number
  readonly to: number
}

export const percent: Quantity = { unit: '%', from: 0, to: 100 }
export const mebibytes: Quantity = { unit: 'MiB', from: 0, to: 100_000_000 }
export const watts: Quantity = { unit: 'W', from: 0, to: 100_000 }
export const megahertz: Quantity = { unit: 'MHz', from: 0, to: 100_000 }
/** nvidia-smi writes temperatures without a unit, always in °C. */
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

/** What stands in a cell in place of a value; undefined where it is none of the known ones. */
export const placeholder = (cell: string): Extract<Measured, string> | undefined =>
  placeholders.find(([pattern]) => pattern.test(cell))?.[1]

/**
 * A cell such as "67.42 W" as a number of its quantity. A number with another unit, without the unit, outside of
 * what makes sense, or with a comma in it is not taken for a value.
 */
export function measured(cell: string, { unit, from, to }: Quantity): Measured {
  const text = cell.trim()
  const instead = placeholder(text)
  if (instead) return instead
  const [digits] = number.exec(text) ?? []
  if (digits === undefined) {
    const [commas] = commaNumber.exec(text) ?? []
    return commas !== undefined && text.slice(commas.length).trim() === unit
      ? 'decimal-comma'
      : 'not-understood'
  }
  const value = Number(digits)
  const said = text.slice(digits.length).trim()
  return said === unit && value >= from && value <= to ? value : 'not-understood'
}
