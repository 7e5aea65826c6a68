import type { UtilizationSamples } from '#shared/bridge/gpu'

/** Upper bound on the lines read: a GPU has about forty. */
const maxLines = 5_000

const number = (text: string | undefined, unit: string): number | undefined => {
  const [, digits] = new RegExp(`^(\\d+(?:\\.\\d+)?) ${unit}$`).exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the values of one group of samples, such as `GPU Utilization Samples`; undefined if it is missing. */
function groupOf(lines: readonly string[], title: string): ReadonlyMap<string, string> | undefined {
  const start = lines.findIndex((line) => line.trim() === title)
  if (start < 0) return undefined
  return new Map(
    lines.slice(start + 1, start + 6).map((line) => {
      const [name = '', value = ''] = line.split(/ : /)
      return [name.trim(), value.trim()]
    }),
  )
}

const percentIn = (group: ReadonlyMap<string, string> | undefined, name: string): number | undefined => {
  const value = number(group?.get(name), '%')
  return value !== undefined && value <= 100 ? value : undefined
}

function samplesOf(lines: readonly string[]): UtilizationSamples | null {
  const group = groupOf(lines, 'GPU Utilization Samples')
  const seconds = number(group?.get('Duration'), 'sec')
  const max = percentIn(group, 'Max')
  const average = percentIn(group, 'Avg')
  if (seconds === undefined || seconds === 0 || max === undefined || average === undefined) return null
  const encoder = percentIn(groupOf(lines, 'ENC Utilization Samples'), 'Max')
  const decoder = percentIn(groupOf(lines, 'DEC Utilization Samples'), 'Max')
  const video = encoder === undefined || decoder === undefined ? null : Math.max(encoder, decoder)
  return { seconds, max, average, video }
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
