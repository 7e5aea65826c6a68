import { numberFormat, type Values } from '../locale'

const digits = numberFormat({ maximumSignificantDigits: 3 })
const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Writes a number of bytes as "1.21 MB", in powers of 1,000. */
export function bytesText(bytes: number, translate: (path: string, values?: Values) => string): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = units[power] ?? 'B'
  return translate(`files.bytes.${unit}`, { value: digits(bytes / 1_000 ** power) })
}
