import { mix32, hash32 } from '../../random'
import type { GpuProfile } from '../../cloud/gpu-profile'
import { createUtilization } from '../../cloud/utilization'
import type { SshMachine } from '../machine'
import { model } from './gpu-models'

/** Program on a GPU. `memory`: MiB. */
export interface GpuProcess {
  readonly pid: number
  readonly name: string
  readonly memory: number
}

/** State of one GPU. Memory is MiB, power watts, temperature °C, load %, clocks MHz. */
export interface Gpu {
  readonly index: number
  readonly name: string
  readonly uuid: string
  readonly bus: string
  readonly memory: number
  readonly memoryUsed: number
  readonly power: number
  readonly powerLimit: number
  readonly temperature: number
  readonly load: number
  readonly clock: number
  readonly clockMax: number
  readonly memoryClock: number
  /** Mask of reasons (nvml.h). */
  readonly throttle: number
  /** Memory errors; null if the model has no ECC, and then no MIG either. */
  readonly ecc: { readonly corrected: number; readonly uncorrected: number } | null
  readonly processes: readonly GpuProcess[]
}

/** Returns a number between 0 and 1 that depends only on `text`. */
const chance = (text: string): number => hash32(text) / 0x1_0000_0000
const flicker = (card: number, now: number): number => mix32(card ^ Math.floor(now)) / 0x1_0000_0000

const bits = { idle: 0x1, powerCap: 0x4, softwareThermal: 0x20 }

/** Process of each workload, and its share of the memory. */
const programs: Readonly<Record<Exclude<GpuProfile, 'crashed'>, { name: string; memory: number } | null>> = {
  training: { name: '/opt/conda/envs/train/bin/python', memory: 0.88 },
  inference: { name: '/usr/local/bin/vllm', memory: 0.91 },
  notebook: { name: '/home/ubuntu/.venv/bin/python', memory: 0.34 },
  nightly: { name: '/opt/conda/bin/python', memory: 0.62 },
  idle: null,
}

/** Returns the utilization in percent. */
function gpuLoad(profile: GpuProfile, busy: number, card: number, now: number): number {
  const quick = flicker(card, now)
  switch (profile) {
    case 'training':
      return busy < 0.2 ? Math.round(12 * quick) : Math.min(100, Math.round(90 + 11 * quick))
    case 'inference':
      return Math.min(100, Math.round(100 * busy * (0.55 + 0.6 * quick)))
    case 'notebook':
    case 'nightly':
      return busy < 0.05 ? 0 : Math.min(100, Math.round(110 * busy * (0.6 + 0.4 * quick)))
    case 'idle':
    case 'crashed':
      return 0
  }
}

/**
 * Returns the machine's GPUs as the driver would report them at `now` (epoch seconds). The same machine has the same values
 * at the same second.
 */
export function gpusOf(
  machine: Pick<SshMachine, 'id' | 'gpu' | 'gpuCount' | 'gpuProfile'>,
  now: number,
): readonly Gpu[] {
  const { name, memory, powerLimit, clockMax, memoryClock, ecc } = model(machine.gpu)
  const profile = machine.gpuProfile?.() ?? 'idle'
  const minute = Math.floor(now / 60)
  const workload = profile === 'crashed' ? 'idle' : profile
  const busy = createUtilization({ id: machine.id, workload })(minute)
  const program = programs[workload]
  return Array.from({ length: machine.gpuCount }, (_, index) => {
    const card = hash32(`${machine.id}/${index}`)
    const wobble = hash32(`${machine.id}/${index}/${minute}`)
    const hex = Array.from({ length: 4 }, (_part, part) =>
      hash32(`${machine.id}/${index}/uuid/${part}`).toString(16).padStart(8, '0'),
    ).join('')
    const load = gpuLoad(profile, busy, card, now)
    const work = load / 100
    const power = Math.min(powerLimit, powerLimit * (0.09 + (wobble % 30) / 1000 + 0.9 * work))
    const isCapped = power > powerLimit * 0.97
    const temperature = 27 + (card % 6) + (wobble % 3) + Math.round(42 * work)
    const held = program ? Math.round(memory * program.memory * (0.97 + 0.03 * chance(`${card}`))) : 0
    return {
      index,
      name,
      uuid: `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
      bus: `00000000:${((0x18 + index * 0x11) & 0xff).toString(16).toUpperCase().padStart(2, '0')}:00.0`,
      memory,
      memoryUsed: 1 + (card % 4) + held,
      power: Math.round(power * 100) / 100,
      powerLimit,
      temperature,
      load,
      clock: load === 0 ? 345 : Math.round(clockMax * (isCapped ? 0.89 : 0.97)),
      clockMax,
      memoryClock,
      throttle:
        load === 0 ? bits.idle : isCapped ? bits.powerCap | (temperature > 73 ? bits.softwareThermal : 0) : 0,
      ecc: ecc ? { corrected: card % 97 === 0 ? 3 : 0, uncorrected: 0 } : null,
      processes: program ? [{ pid: 20_000 + (card % 30_000), name: program.name, memory: held }] : [],
    }
  })
}
