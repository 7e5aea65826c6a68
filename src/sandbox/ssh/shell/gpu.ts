import { hash32 } from '../../random'
import type { SshMachine } from '../machine'

/** One GPU at rest. `memory` and `memoryUsed` are MiB, `power` and `powerLimit` watts, `temperature` °C, `load` %. */
export interface Gpu {
  readonly index: number
  readonly name: string
  readonly uuid: string
  /** PCI bus id. */
  readonly bus: string
  readonly memory: number
  readonly memoryUsed: number
  readonly power: number
  readonly powerLimit: number
  readonly temperature: number
  readonly load: number
}

// What the driver calls the models that are rented out, the memory it reports (MiB), and the power limit (W).
const models = [
  { match: /GB?300/i, name: 'NVIDIA B300', memory: 275_040, powerLimit: 1400 },
  { match: /GB200/i, name: 'NVIDIA GB200', memory: 189_471, powerLimit: 1200 },
  { match: /B200/i, name: 'NVIDIA B200', memory: 183_359, powerLimit: 1000 },
  { match: /PRO 6000/i, name: 'NVIDIA RTX PRO 6000 Blackwell', memory: 97_887, powerLimit: 600 },
  { match: /G?H200/i, name: 'NVIDIA H200', memory: 143_771, powerLimit: 700 },
  { match: /H100.*PCI/i, name: 'NVIDIA H100 PCIe', memory: 81_559, powerLimit: 350 },
  { match: /G?H100/i, name: 'NVIDIA H100 80GB HBM3', memory: 81_559, powerLimit: 700 },
  { match: /A100.*40/i, name: 'NVIDIA A100-SXM4-40GB', memory: 40_960, powerLimit: 400 },
  { match: /A100/i, name: 'NVIDIA A100-SXM4-80GB', memory: 81_920, powerLimit: 400 },
  { match: /L40S/i, name: 'NVIDIA L40S', memory: 46_068, powerLimit: 350 },
  { match: /L40/i, name: 'NVIDIA L40', memory: 46_068, powerLimit: 300 },
  { match: /L4/i, name: 'NVIDIA L4', memory: 23_034, powerLimit: 72 },
  {
    match: /RTX.*6000.*ADA|6000.*ADA/i,
    name: 'NVIDIA RTX 6000 Ada Generation',
    memory: 49_140,
    powerLimit: 300,
  },
  { match: /A6000/i, name: 'NVIDIA RTX A6000', memory: 49_140, powerLimit: 300 },
  { match: /A5000/i, name: 'NVIDIA RTX A5000', memory: 24_564, powerLimit: 230 },
  { match: /A4000/i, name: 'NVIDIA RTX A4000', memory: 16_376, powerLimit: 140 },
  { match: /A10/i, name: 'NVIDIA A10', memory: 23_028, powerLimit: 150 },
  { match: /5090/i, name: 'NVIDIA GeForce RTX 5090', memory: 32_607, powerLimit: 575 },
  { match: /4090/i, name: 'NVIDIA GeForce RTX 4090', memory: 24_564, powerLimit: 450 },
  { match: /3090/i, name: 'NVIDIA GeForce RTX 3090', memory: 24_576, powerLimit: 350 },
  { match: /V100/i, name: 'Tesla V100-SXM2-16GB', memory: 16_384, powerLimit: 300 },
  { match: /T4/i, name: 'Tesla T4', memory: 15_360, powerLimit: 70 },
] as const

const model = (gpu: string) =>
  models.find(({ match }) => match.test(gpu)) ?? {
    name: `NVIDIA ${gpu.replace(/[^\x20-\x7e]/g, '?').replace(/^NVIDIA /i, '')}`,
    memory: 24_576,
    powerLimit: 300,
  }

/** The machine's GPUs as its driver would report them, idle. The same machine has the same values within a minute. */
export function gpusOf(machine: Pick<SshMachine, 'id' | 'gpu' | 'gpuCount'>, now: number): readonly Gpu[] {
  const { name, memory, powerLimit } = model(machine.gpu)
  const minute = Math.floor(now / 60)
  return Array.from({ length: machine.gpuCount }, (_, index) => {
    const card = hash32(`${machine.id}/${index}`)
    const wobble = hash32(`${machine.id}/${index}/${minute}`)
    const hex = Array.from({ length: 4 }, (_part, part) =>
      hash32(`${machine.id}/${index}/uuid/${part}`).toString(16).padStart(8, '0'),
    ).join('')
    return {
      index,
      name,
      uuid: `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
      bus: `00000000:${((0x18 + index * 0x11) & 0xff).toString(16).toUpperCase().padStart(2, '0')}:00.0`,
      memory,
      memoryUsed: 1 + (card % 4),
      power: Math.round(powerLimit * (0.09 + (wobble % 30) / 1000)),
      powerLimit,
      temperature: 27 + (card % 6) + (wobble % 3),
      load: 0,
    }
  })
}
