import type { GpuReading, ThrottleReason } from '#shared/bridge/gpu'
import { placeholder } from './measured'

// nvml.h, nvmlClocksEventReason…
const bits: readonly (readonly [bigint, ThrottleReason])[] = [
  [0x1n, 'idle'],
  [0x2n, 'application-clocks'],
  [0x4n, 'power-cap'],
  [0x8n, 'hardware-slowdown'],
  [0x10n, 'sync-boost'],
  [0x20n, 'software-thermal'],
  [0x40n, 'hardware-thermal'],
  [0x80n, 'power-brake'],
  [0x100n, 'display-clocks'],
]
const knownBits = bits.reduce((all, [bit]) => all | bit, 0n)

/** Decodes a mask such as 0x0000000000000024. */
export function throttleReasonsOf(cell: string): GpuReading['throttle'] {
  const placeholderKind = placeholder(cell)
  if (placeholderKind) return placeholderKind
  if (!/^0x[0-9a-f]{1,16}$/i.test(cell)) return 'not-understood'
  const mask = BigInt(cell)
  const reasons = bits.flatMap(([bit, reason]) => ((mask & bit) === 0n ? [] : [reason]))
  return (mask & ~knownBits) === 0n ? reasons : [...reasons, 'other']
}
