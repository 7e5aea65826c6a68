import { hash32, mix32 } from '../random'
import type { MachineRecord, Workload } from './records'

/** Load of a machine in one minute: percent, and GB transferred in that minute. */
export interface Load {
  readonly cpu: number
  readonly memory: number
  readonly diskRead: number
  readonly diskWrite: number
  readonly networkIn: number
  readonly networkOut: number
}

const minutesOfDay = 1_440

/** Returns 0 at night and 1 in the early afternoon. */
const daylight = (minuteOfDay: number): number =>
  Math.max(0, Math.sin(((minuteOfDay - 6 * 60) / (14 * 60)) * Math.PI)) * (minuteOfDay >= 6 * 60 ? 1 : 0)

/** Utilization (0 to 1) at a minute of the UTC day. `noise` varies slowly between 0 and 1. */
const utilizationCurves: Readonly<Record<Workload, (minuteOfDay: number, noise: number) => number>> = {
  // Constant, with an occasional checkpoint or restart.
  training: (_, noise) => (noise < 0.06 ? 0.12 : 0.82 + 0.15 * noise),
  inference: (minuteOfDay, noise) => 0.3 + 0.35 * daylight(minuteOfDay) + 0.25 * noise,
  notebook: (minuteOfDay, noise) => (noise > 0.45 ? 0.7 * daylight(minuteOfDay) * noise : 0.03),
  nightly: (minuteOfDay, noise) => (minuteOfDay >= 60 && minuteOfDay < 260 ? 0.75 + 0.2 * noise : 0.02),
  idle: (_, noise) => 0.01 + 0.02 * noise,
}

const unit = (value: number): number => mix32(value) / 0x1_0000_0000

/** Returns smooth noise that moves from one value to the next in `span` minutes. */
const smoothNoise = (seed: number, time: number, span: number): number => {
  const step = Math.floor(time / span)
  const part = (time - step * span) / span
  const eased = part * part * (3 - 2 * part)
  const from = unit(seed ^ step)
  return from + (unit(seed ^ (step + 1)) - from) * eased
}

const percent = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 100) / 100
const gigabytes = (value: number): number => Math.round(Math.max(0, value) * 10_000) / 10_000

/** Returns the utilization (0 to 1) by minute (epoch minutes), from which the load of CPU and GPUs is derived. */
export function createUtilization({
  id,
  workload,
}: Pick<MachineRecord, 'id' | 'workload'>): (minute: number) => number {
  const seed = hash32(id)
  return (minute) => utilizationCurves[workload](minute % minutesOfDay, smoothNoise(seed, minute, 95))
}

/** Returns the load by minute (epoch minutes): a pure function of id, workload and minute. */
export function createLoad(machine: Pick<MachineRecord, 'id' | 'workload'>): (minute: number) => Load {
  const seed = hash32(machine.id)
  const curve = utilizationCurves[machine.workload]
  const memoryFloor = 6 + 20 * unit(seed ^ 1)
  const traffic = machine.workload === 'inference' ? 0.6 : 0.15
  return (minute) => {
    const slow = smoothNoise(seed, minute, 95)
    const quick = smoothNoise(seed ^ 0x5bd1e995, minute, 4)
    const jitter = unit(seed ^ Math.imul(minute, 0x9e3779b1)) - 0.5
    const work = curve(minute % minutesOfDay, slow)
    return {
      // An idle machine has little noise, so that its average stays below the idle threshold.
      cpu: percent(100 * work + Math.min(6, 100 * work) * (quick - 0.5) + 2 * jitter),
      memory: percent(memoryFloor + 55 * work + 4 * slow),
      diskRead: gigabytes(work * (0.4 + 1.6 * quick) + 0.002 * (jitter + 0.5)),
      diskWrite: gigabytes(work * (0.1 + 0.5 * (1 - quick)) + 0.003 * (jitter + 0.5)),
      networkIn: gigabytes(traffic * work * (0.3 + quick) + 0.001 * (jitter + 0.5)),
      networkOut: gigabytes(traffic * work * (0.2 + slow) + 0.001 * (0.5 - jitter)),
    }
  }
}
