import type { GpuReport } from '#shared/bridge/gpu'
import type { CommandResult } from '../../ssh/client/transport'

/** Returns output of a machine as one short line without control characters. */
export const shortened = (text: string, length = 300): string =>
  Array.from(
    text
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, length * 2),
  )
    .slice(0, length)
    .join('')

type Complaint = Exclude<GpuReport, { kind: 'gpus' }>

const complaints: readonly (readonly [RegExp, (said: string) => Complaint])[] = [
  [/driver\/library version mismatch/i, (said) => ({ kind: 'driver-mismatch', said })],
  [/insufficient permissions/i, (said) => ({ kind: 'no-permission', said })],
  [
    /gpu is lost|unable to determine the device handle|fallen off the bus/i,
    (said) => ({ kind: 'gpu-lost', said }),
  ],
  [/no devices were found|no (?:amd )?gpus? (?:were |was )?(?:found|detected)/i, () => ({ kind: 'no-gpus' })],
  [
    /couldn'?t communicate with the nvidia driver|failed to initialize nvml|libnvidia-ml|driver not initialized|amdgpu not found/i,
    (said) => ({ kind: 'no-driver', said }),
  ],
]

/**
 * Classifies the complaint of a tool by its text, otherwise by its exit status (127: no such tool, 126: not executable).
 * Returns undefined if there is none.
 */
export function complaintOf(result: CommandResult): Complaint | undefined {
  const { status } = result
  if (status === 0 && result.stderr === '' && !/no devices were found/i.test(result.stdout)) return undefined
  const text = `${result.stderr.slice(0, 4_000)}\n${result.stdout.slice(0, 4_000)}`
  const [, complaint] = complaints.find(([pattern]) => pattern.test(text)) ?? []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const said = shortened(lines.slice(0, 4).join(' '))
  if (complaint) return complaint(said)
  if (status === 127) return { kind: 'no-tool' }
  if (status === 126) return { kind: 'no-permission', said }
  return status === 0 ? undefined : { kind: 'not-understood', said }
}
