import type { UtilizationSamples } from '#shared/bridge/gpu'

/** Upper bound on the lines read: a GPU has about forty. */
const maxLines = 5_000

const number = (text: string | undefined, unit: string): number | undefined => {
  const [, digits] = new RegExp(`^(\\d+(?:\\.\\d+)?) ${unit}$`).exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function samplesOf(lines: readonly string[]): UtilizationSamples | null {
  const start = lines.findIndex((line) => /^\s+GPU Utilization Samples\s*$/.test(line))
  if (start < 0) return null
  const values = new Map(
    lines.slice(start + 1, start + 6).map((line) => {
      const [name = '', value = ''] = line.split(/ : /)
      return [name.trim(), value.trim()]
    }),
  )
  const seconds = number(values.get('Duration'), 'sec')
  const max = number(values.get('Max'), '%')
  const average = number(values.get('Avg'), '%')
  if (seconds === undefined || max === undefined || average === undefined) return null
  return seconds > 0 && max <= 100 && average <= 100 ? { seconds, max, average } : null
}

/**
 * Parses the output of `nvidia-smi -q -d UTILIZATION`: the samples of each GPU in the order of their indexes. A value is null
 * if the driver has no samples (`Not Found`, `N/A`). Pure, never throws.
 */
export function utilizationSamples(text: string): readonly (UtilizationSamples | null)[] {
  const lines = text.split(/\r?\n/, maxLines)
  const starts = lines.flatMap((line, index) => (/^GPU [0-9a-f]+:/i.test(line) ? [index] : []))
  return starts.map((start, index) => samplesOf(lines.slice(start, starts[index + 1])))
}
