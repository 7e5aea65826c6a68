import { failed, print, type Command } from '../command'
import { type Gpu, gpusOf } from '../gpu'

const unit = (value: number, name: string) => ({ value, unit: name })

const name = 'AMD Instinct MI300X'
const powerLimit = 750
const memory = 196_592

const metric = ({ index, load, temperature, memoryUsed }: Gpu) => ({
  gpu: index,
  usage: { gfx_activity: unit(load, '%'), umc_activity: unit(Math.round(load / 4), '%'), mm_activity: 'N/A' },
  power: { socket_power: unit(Math.round(powerLimit * (0.18 + (0.8 * load) / 100)), 'W') },
  clock: {
    gfx_0: { clk: unit(load > 0 ? 2_100 : 132, 'MHz'), max_clk: unit(2_100, 'MHz') },
    mem_0: { clk: unit(1_300, 'MHz') },
  },
  temperature: { edge: 'N/A', hotspot: unit(temperature, 'C') },
  mem_usage: { total_vram: unit(memory, 'MB'), used_vram: unit(memoryUsed, 'MB') },
})

const fixed = ({ index, uuid }: Gpu) => ({
  gpu: index,
  asic: { market_name: name, asic_serial: `0x${uuid.slice(4, 12)}${uuid.slice(13, 17)}` },
  limit: { ppt0: { max_power_limit: unit(powerLimit, 'W'), socket_power_limit: unit(powerLimit, 'W') } },
  driver: { name: 'amdgpu', version: '6.16.6' },
})

const processes = ({ index, processes: listed }: Gpu) => ({
  gpu: index,
  process_list: listed.map(({ pid, name: program, memory: used }) => ({
    process_info: { name: program, pid, memory_usage: { vram_mem: unit(used * 1_048_576, 'B') } },
  })),
})

/** The `amd-smi` of ROCm 7, on machines with the profile `amd`. */
export const amdSmi: Command = {
  name: 'amd-smi',
  summary: 'show AMD GPUs (metric, static or process, with --json)',
  *run({ args: [command], shell }) {
    if (shell.machine.gpuProfile?.() !== 'amd')
      return yield* failed('env', "'amd-smi': No such file or directory", 127)
    const gpus = gpusOf(shell.machine, shell.now())
    const outputs: Readonly<Record<string, () => unknown>> = {
      metric: () => ({ gpu_data: gpus.map(metric) }),
      static: () => ({ gpu_data: gpus.map(fixed) }),
      process: () => gpus.map(processes),
    }
    const output = outputs[command ?? '']
    if (!output) return yield* failed('amd-smi', `${command ?? ''}: not part of the sandbox`, 2)
    yield print(JSON.stringify(output(), null, 4))
    return 0
  },
}
