import type { UtilizationSamples } from '#shared/bridge/gpu'

/** Upper bound on the characters read: a GPU has about 2,000. */
const maxLength = 200_000
/** Lines of one group of samples, and a bound on their characters. */
const groupSize = { lines: 6, characters: 600 } as const

const percentValue = /: +(\d+(?:\.\d+)?) %$/
const secondsValue = /: +(\d+(?:\.\d+)?) sec$/

/** Returns the lines of one group of samples, such as `GPU Utilization Samples`; none if it is missing. */
function groupOf(text: string, title: string): readonly string[] {
  const start = text.indexOf(title)
  return start < 0
    ? []
    : text
        .slice(start, start + groupSize.characters)
        .split('\n', groupSize.lines)
        .map((line) => line.trim())
}

function valueIn(group: readonly string[], name: string, value: RegExp): number | undefined {
  const line = group.find((candidate) => candidate.startsWith(name))
  const [, digits] = value.exec(line ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function percentIn(group: readonly string[], name: string): number | undefined {
  const value = valueIn(group, name, percentValue)
  return value !== undefined && value <= 100 ? value : undefined
}

function samplesOf(text: string): UtilizationSamples | null {
  const group = groupOf(text, 'GPU Utilization Samples')
  const seconds = valueIn(group, 'Duration', secondsValue)
  const max = percentIn(group, 'Max')
  const average = percentIn(group, 'Avg')
  if (seconds === undefined || seconds === 0 || max === undefined || average === undefined) return null
  const encoder = percentIn(groupOf(text, 'ENC Utilization Samples'), 'Max')
  const decoder = percentIn(groupOf(text, 'DEC Utilization Samples'), 'Max')
  const video = encoder === undefined || decoder === undefined ? null : Math.max(encoder, decoder)
  return { seconds, max, average, video }
}

/**
 * Parses the output of `nvidia-smi -q -d UTILIZATION`: the samples of each GPU in the order of their indexes. A value is null
 * if the driver has no samples (`Not Found`, `N/A`). Pure, never throws.
 */
export function utilizationSamples(text: string): readonly (UtilizationSamples | null)[] {
  const [, ...gpus] = text.slice(0, maxLength).split(/^GPU (?=[0-9a-f]+:)/im)
  return gpus.map(samplesOf)
}
