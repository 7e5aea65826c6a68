import { failed, print, type Command } from '../command'
import { type Gpu, gpusOf } from '../gpu'
import { gpuMonitor } from '../gpu-monitor'
import { driverVersion, gpuQuery } from '../gpu-query'

const driver = { version: driverVersion, cuda: '12.4' }

const driverFailure =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"

const rule = (character: string, ...widths: readonly number[]): string =>
  widths.map((width) => character.repeat(width)).join('+')
const columns = [41, 24, 22] as const
const whole = 89

const row = (...cells: readonly string[]): string => `|${cells.join('|')}|`
const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 3)}...` : text.padEnd(length)

const gpuRows = (gpu: Gpu): readonly string[] => [
  row(
    ` ${String(gpu.index).padStart(3)}  ${shorten(gpu.name, 25)}      On  `,
    `   ${gpu.bus} Off `,
    '                    0 ',
  ),
  row(
    ` N/A  ${String(gpu.temperature).padStart(3)}C    P0    ${`${Math.round(gpu.power)}W / ${String(gpu.powerLimit).padStart(4)}W`.padStart(20)} `,
    ` ${`${gpu.memoryUsed}MiB / ${gpu.memory}MiB`.padStart(22)} `,
    `    ${String(gpu.load).padStart(3)}%      Default `,
  ),
  row(' '.repeat(columns[0]), ' '.repeat(columns[1]), '             Disabled '),
  `+${rule('-', ...columns)}+`,
]

const processRows = (gpus: readonly Gpu[]): readonly string[] => {
  const rows = gpus.flatMap((gpu) =>
    gpu.processes.map(({ pid, name, memory }) =>
      row(
        `  ${String(gpu.index).padStart(3)}   N/A  N/A  ${String(pid).padStart(9)}      C   ${shorten(name, 40)}  ${`${memory}MiB`.padStart(9)} `.padEnd(
          whole,
        ),
      ),
    ),
  )
  return rows.length > 0 ? rows : [row('  No running processes found'.padEnd(whole))]
}

/** Returns the table of instances (MIG). The first one has the program. */
const instanceRows = (gpus: readonly Gpu[]): readonly string[] => {
  const rows = gpus.flatMap(({ index, instances, memoryUsed }) =>
    instances.map((profile, device) => {
      const total = Math.round(Number(/\.(\d+)gb/.exec(profile)?.[1] ?? 0) * 1003.5)
      const used = device === 0 ? Math.min(memoryUsed, total) : 13
      const memory = `${used}MiB / ${total}MiB`.padStart(23)
      return row(
        `  ${index}  ${device + 1}   0   ${device}  `,
        ` ${memory} `.padEnd(40),
        ' 16      0 '.padEnd(32),
      )
    }),
  )
  return rows.length === 0 ? [] : [row(' MIG devices:'.padEnd(whole)), ...rows, `+${rule('-', whole)}+`]
}

/** Returns the table that nvidia-smi prints. `now`: epoch seconds. Pure. */
export function gpuTable(gpus: readonly Gpu[], now: number): readonly string[] {
  const [weekday = '', day = '', month = '', year = '', clock = ''] = new Date(now * 1000)
    .toUTCString()
    .replace(',', '')
    .split(' ')
  return [
    `${weekday} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year}       `,
    `+${rule('-', whole)}+`,
    row(
      ` NVIDIA-SMI ${driver.version}              Driver Version: ${driver.version}      CUDA Version: ${driver.cuda}     `,
    ),
    `|${rule('-', ...columns)}+`,
    row(' GPU  Name                 Persistence-M ', ' Bus-Id          Disp.A ', ' Volatile Uncorr. ECC '),
    row(' Fan  Temp   Perf          Pwr:Usage/Cap ', '           Memory-Usage ', ' GPU-Util  Compute M. '),
    row(' '.repeat(columns[0]), ' '.repeat(columns[1]), '               MIG M. '),
    `|${rule('=', ...columns)}|`,
    ...gpus.flatMap(gpuRows),
    ...instanceRows(gpus),
    ' '.repeat(whole + 2),
    `+${rule('-', whole)}+`,
    row(' Processes:'.padEnd(whole)),
    row('  GPU   GI   CI        PID   Type   Process name                              GPU Memory '),
    row('        ID   ID                                                               Usage      '),
    `|${rule('=', whole)}|`,
    ...processRows(gpus),
    `+${rule('-', whole)}+`,
  ]
}

export const nvidiaSmi: Command = {
  name: 'nvidia-smi',
  summary:
    'show the GPUs (-L: a line each; --query-gpu=…, --query-compute-apps=… with --format=csv; dmon; pmon; -q -d UTILIZATION)',
  *run({ args, shell }) {
    const [option] = args
    if (shell.machine.gpuProfile?.() === 'amd')
      return yield* failed('env', "'nvidia-smi': No such file or directory", 127)
    if (shell.machine.gpuProfile?.() === 'crashed') {
      yield print(driverFailure)
      return 9
    }
    const gpus = gpusOf(shell.machine, shell.now())
    if (gpus.length === 0) {
      yield print('No devices were found')
      return 6
    }
    if (option === '-L' || option === '--list-gpus') {
      for (const gpu of gpus) {
        yield print(`GPU ${gpu.index}: ${gpu.name} (UUID: ${gpu.uuid})`)
        for (const [index, profile] of gpu.instances.entries())
          yield print(`  MIG ${profile.padEnd(12)}Device  ${index}: (UUID: MIG-${index}${gpu.uuid.slice(5)})`)
      }
      return 0
    }
    const monitored = gpuMonitor(args, gpus)
    if (monitored) {
      for (const line of monitored) yield print(line)
      return 0
    }
    if (option === 'nvlink') {
      // As with a single real GPU, which prints nothing.
      for (const gpu of gpus.length > 1 ? gpus : []) {
        yield print(`GPU ${gpu.index}: ${gpu.name} (UUID: ${gpu.uuid})`)
        for (let link = 0; link < 18; link += 1) yield print(`\t Link ${link}: 26.562 GB/s`)
      }
      return 0
    }
    const query = gpuQuery(args, gpus)
    if (query) {
      for (const line of query.lines) yield print(line)
      return query.status
    }
    if (option !== undefined) return yield* failed('nvidia-smi', `${option}: not part of the sandbox`, 2)
    for (const line of gpuTable(gpus, shell.now())) yield print(line)
    return 0
  },
}
