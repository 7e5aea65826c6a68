import { mix32, hash32 } from '../../random'
import { type GpuProfile, workloads } from '../../cloud/gpu-profile'
import { createUtilization } from '../../cloud/utilization'
import { hasFault, type SshMachine } from '../machine'
import { model } from './gpu-models'

/** Program on a GPU. `memory`: MiB. `share`: percent of its work. `seconds`: running time. */
export interface GpuProcess {
  readonly pid: number
  readonly name: string
  readonly command: string
  readonly memory: number
  readonly share: number
  readonly seconds: number
  /** In clock ticks since the machine booted. */
  readonly start: string
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
  /** Load that the driver sampled over the last 14 seconds; null if it has no samples. */
  readonly samples: { readonly max: number; readonly average: number } | null
  /** Percent of the parts in use; null if the model has no counters. */
  readonly activity: { readonly sm: number; readonly tensor: number; readonly dram: number } | null
  /** Profiles of its instances (MIG); empty if it is not split. */
  readonly instances: readonly string[]
  readonly clock: number
  readonly clockMax: number
  readonly memoryClock: number
  /** Mask of reasons (nvml.h). */
  readonly throttle: number
  /** Memory errors; null if the model has no ECC, and then no MIG either. */
  readonly ecc: { readonly corrected: number; readonly uncorrected: number } | null
  readonly pcie: { readonly gen: number; readonly maxGen: number; readonly width: number }
  /** Rows of memory wait to be replaced. */
  readonly isRemapPending: boolean
  /** Action that the driver asks for. */
  readonly recovery: 'None' | 'Reset'
  readonly processes: readonly GpuProcess[]
}

/** Returns a number between 0 and 1 that depends only on `text`. */
const chance = (text: string): number => hash32(text) / 0x1_0000_0000
const flicker = (card: number, now: number): number => mix32(card ^ Math.floor(now)) / 0x1_0000_0000

/** Utilization of the CPUs (0 to 1) below which a notebook or a nightly job runs no program. */
const leastWork = 0.05

const bits = { idle: 0x1, powerCap: 0x4, softwareThermal: 0x20 }

interface Program {
  readonly name: string
  readonly arguments: string
  /** Share of the GPU's memory. */
  readonly memory: number
}

/** Program of each profile. */
const programs: Readonly<Record<GpuProfile, Program | null>> = {
  training: {
    name: '/opt/conda/envs/train/bin/python',
    arguments: 'train.py --config llama.yaml --wandb-api-key=0123456789abcdef',
    memory: 0.88,
  },
  inference: { name: '/usr/local/bin/vllm', arguments: 'serve --max-model-len 8192', memory: 0.91 },
  notebook: { name: '/home/ubuntu/.venv/bin/python', arguments: '-m ipykernel_launcher', memory: 0.34 },
  nightly: { name: '/opt/conda/bin/python', arguments: 'nightly.py', memory: 0.62 },
  bursts: { name: 'python3', arguments: 'poll.py', memory: 0.12 },
  held: { name: 'python3', arguments: '-m ipykernel_launcher -f kernel.json', memory: 0.13 },
  spinning: { name: 'python3', arguments: 'wait.py', memory: 0.007 },
  container: { name: 'python3', arguments: 'train.py', memory: 0.5 },
  split: { name: 'python3', arguments: 'serve.py', memory: 0.3 },
  amd: { name: 'python3', arguments: 'train.py', memory: 0.6 },
  idle: null,
  'no-samples': null,
  crashed: null,
}

/** Bursts of the profile of that name. */
const bursts = { periodSeconds: 10, workSeconds: 0.3, max: 89, average: 2 }

/** Models with counters of their activity (Hopper and later). */
const hasCounters = /\b(?:GH|H|GB|B)\d{3}\b/

/** Returns the utilization in percent. */
function gpuLoad(profile: GpuProfile, busy: number, card: number, now: number): number {
  const quick = flicker(card, now)
  switch (profile) {
    case 'training':
    case 'container':
    case 'amd':
      return busy < 0.2 ? Math.round(12 * quick) : Math.min(100, Math.round(90 + 11 * quick))
    case 'inference':
    case 'split':
      return Math.min(100, Math.round(100 * busy * (0.55 + 0.6 * quick)))
    case 'notebook':
    case 'nightly':
      return busy < leastWork ? 0 : Math.min(100, Math.round(110 * busy * (0.6 + 0.4 * quick)))
    case 'bursts':
      return now % bursts.periodSeconds < bursts.workSeconds ? 100 : 0
    case 'spinning':
      return 100
    case 'idle':
    case 'held':
    case 'no-samples':
    case 'crashed':
      return 0
  }
}

/** Returns the driver's samples of the last 14 seconds. */
function samplesOf(profile: GpuProfile, load: number): Gpu['samples'] {
  if (profile === 'no-samples') return null
  return profile === 'bursts' ? { max: bursts.max, average: bursts.average } : { max: load, average: load }
}

function activityOf(name: string, profile: GpuProfile, load: number): Gpu['activity'] {
  if (!hasCounters.test(name)) return null
  if (profile === 'spinning' || profile === 'bursts') return { sm: 0, tensor: 0, dram: 0 }
  const part = (most: number): number => Math.round((most * load) / 100)
  return { sm: part(96), tensor: part(93), dram: part(16) }
}

/** Power of an H100 without a program, and with a program that does nothing, as shares of its limit. */
const powerShares = { unused: 0.1, held: 0.175 }

/**
 * Returns the machine's GPUs as the driver would report them at `now` (epoch seconds). The same machine has the same values
 * at the same second.
 */
export function gpusOf(
  machine: Pick<SshMachine, 'id' | 'gpu' | 'gpuCount' | 'gpuProfile' | 'faults' | 'ended'>,
  now: number,
): readonly Gpu[] {
  const { name, memory, powerLimit, clockMax, memoryClock, ecc } = model(machine.gpu)
  const profile = machine.gpuProfile?.() ?? 'idle'
  const minute = Math.floor(now / 60)
  const busy = createUtilization({ id: machine.id, workload: workloads[profile] })(minute)
  const isResting = (profile === 'notebook' || profile === 'nightly') && busy < leastWork
  const running = isResting ? null : programs[profile]
  const isDone = profile === 'spinning' || profile === 'bursts'
  return Array.from({ length: machine.gpuCount }, (_, index) => {
    const card = hash32(`${machine.id}/${index}`)
    const wobble = hash32(`${machine.id}/${index}/${minute}`)
    const hex = Array.from({ length: 4 }, (_part, part) =>
      hash32(`${machine.id}/${index}/uuid/${part}`).toString(16).padStart(8, '0'),
    ).join('')
    const pid = 20_000 + (card % 30_000)
    const program = machine.ended?.().includes(pid) ? null : running
    const load = running && !program ? 0 : gpuLoad(profile, busy, card, now)
    // A kernel of one thread draws hardly more power than memory that is held.
    const work = isDone ? 0 : load / 100
    const idlePower = program ? powerShares.held : powerShares.unused
    const power = Math.min(powerLimit, powerLimit * (idlePower + (wobble % 30) / 10_000 + 0.85 * work))
    const isCapped = power > powerLimit * 0.97
    const isHot = hasFault(machine, 'hot')
    // Usually one GPU of a machine has a defect.
    const isFirst = index === 0
    const temperature = isHot ? 91 : 27 + (card % 6) + (wobble % 3) + Math.round(42 * work)
    const held = program ? Math.round(memory * program.memory * (0.97 + 0.03 * chance(`${card}`))) : 0
    const isUnused = load === 0 && !program
    return {
      index,
      name,
      uuid: `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
      bus: `00000000:${((0x18 + index * 0x11) & 0xff).toString(16).toUpperCase().padStart(2, '0')}:00.0`,
      memory,
      memoryUsed: (program ? 9 : 0) + held,
      power: Math.round(power * 100) / 100,
      powerLimit,
      temperature,
      load,
      samples: samplesOf(profile, load),
      activity: activityOf(name, profile, load),
      instances: profile === 'split' && ecc ? ['3g.40gb', '2g.20gb', '1g.10gb'] : [],
      clock: isUnused ? 345 : Math.round(clockMax * (isCapped ? 0.89 : 0.97)),
      clockMax,
      memoryClock,
      throttle: isHot
        ? bits.softwareThermal
        : isUnused
          ? bits.idle
          : isCapped
            ? bits.powerCap | (temperature > 73 ? bits.softwareThermal : 0)
            : 0,
      ecc: ecc
        ? {
            corrected: card % 97 === 0 ? 3 : 0,
            uncorrected: isFirst && hasFault(machine, 'ecc-errors') ? 2 : 0,
          }
        : null,
      pcie: {
        gen: isFirst && hasFault(machine, 'slow-pcie') ? 3 : isUnused ? 1 : 5,
        maxGen: 5,
        width: isFirst && hasFault(machine, 'slow-pcie') ? 8 : 16,
      },
      isRemapPending: isFirst && hasFault(machine, 'pending-remap'),
      recovery: isFirst && hasFault(machine, 'recovery-action') ? 'Reset' : 'None',
      processes:
        program && profile !== 'container'
          ? [
              {
                pid,
                name: program.name,
                command: `${program.name} ${program.arguments}`,
                memory: held,
                share: load,
                seconds: 3_600 + (card % 400_000),
                start: String(card % 40_000_000),
              },
            ]
          : [],
    }
  })
}
