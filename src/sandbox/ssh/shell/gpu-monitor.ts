import type { Gpu } from './gpu'

const cells = (values: readonly (number | string)[], width: number): string =>
  values.map((value) => String(value).padStart(width)).join('')

const units = (values: readonly string[], width: number): string =>
  values.map((value) => value.padStart(width)).join('')

const columns = ['pwr', 'gtemp', 'mtemp', 'sm', 'mem', 'enc', 'dec', 'jpg', 'ofa', 'mclk', 'pclk']
const columnUnits = ['W', 'C', 'C', '%', '%', '%', '%', '%', '%', 'MHz', 'MHz']

/** Counters by their number in `--gpm-metrics`. */
const counters: Readonly<
  Record<string, { name: string; value(activity: NonNullable<Gpu['activity']>): number }>
> = {
  '2': { name: 'smutil', value: ({ sm }) => sm },
  '5': { name: 'mmaact', value: ({ tensor }) => tensor },
  '10': { name: 'dram', value: ({ dram }) => dram },
}

const optionOf = (args: readonly string[], name: string): string | undefined =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined

/** Returns the lines of `nvidia-smi dmon`. The first two of each GPU have no counters. Pure. */
function deviceMonitor(args: readonly string[], gpus: readonly Gpu[]): readonly string[] {
  const shown = (optionOf(args, '--gpm-metrics') ?? '').split(',').flatMap((id) => counters[id] ?? [])
  const count = Math.min(10, Number(optionOf(args, '-c') ?? 1))
  const row = (gpu: Gpu, at: number): string => {
    const { power, temperature, load, clock, memoryClock, activity } = gpu
    const fixed = [
      Math.round(power),
      temperature,
      temperature + 4,
      load,
      Math.round(load / 6),
      0,
      0,
      0,
      0,
      memoryClock,
      clock,
    ]
    const values = shown.map(({ value }) => (activity && at >= 2 ? value(activity) : '-'))
    return `${String(gpu.index).padStart(5)}${cells(fixed, 7)}${cells(values, 11)} `
  }
  return [
    `# gpu${units(columns, 7)}${units(
      shown.map(({ name }) => name),
      11,
    )} `,
    `# Idx${units(columnUnits, 7)}${units(
      shown.map(() => 'GPM:%'),
      11,
    )} `,
    ...Array.from({ length: count }, (_, at) => gpus.map((gpu) => row(gpu, at))).flat(),
  ]
}

/** Returns the lines of `nvidia-smi pmon -s um`. A GPU without a process has a line of dashes. Pure. */
function processMonitor(gpus: readonly Gpu[]): readonly string[] {
  const row = (index: number, values: readonly (number | string)[], command: string): string =>
    `${String(index).padStart(5)}${cells(values, 7)}    ${command.padEnd(15)}`
  return [
    `# gpu${units(['pid', 'type', 'sm', 'mem', 'enc', 'dec', 'jpg', 'ofa', 'fb', 'ccpm'], 7)}    command `,
    `# Idx${units(['#', 'C/G', '%', '%', '%', '%', '%', '%', 'MB', 'MB'], 7)}    name `,
    ...gpus.flatMap(({ index, processes }) =>
      processes.length === 0
        ? [
            row(
              index,
              Array.from({ length: 10 }, () => '-'),
              '-',
            ),
          ]
        : processes.map(({ pid, share, memory, name }) =>
            row(
              index,
              [pid, 'C', share, Math.round(share / 4), '-', '-', '-', '-', memory, 0],
              name.split('/').at(-1) ?? name,
            ),
          ),
    ),
  ]
}

/** Returns the lines of `nvidia-smi -q -d UTILIZATION`. Pure. */
function utilization(gpus: readonly Gpu[]): readonly string[] {
  const line = (depth: number, name: string, value: string): string =>
    `${' '.repeat(4 * depth)}${name.padEnd(51 - 4 * depth)}: ${value}`
  const group = (engine: string, values: Gpu['samples']): readonly string[] => [
    `    ${engine} Utilization Samples`,
    line(2, 'Duration', values ? '14.00 sec' : 'Not Found'),
    line(2, 'Number of Samples', values ? '71' : 'Not Found'),
    line(2, 'Max', values ? `${values.max} %` : 'Not Found'),
    line(2, 'Min', values ? '0 %' : 'Not Found'),
    line(2, 'Avg', values ? `${values.average} %` : 'Not Found'),
  ]
  return [
    '',
    '==============NVSMI LOG==============',
    '',
    line(0, 'Attached GPUs', String(gpus.length)),
    ...gpus.flatMap(({ bus, load, samples }) => [
      `GPU ${bus}`,
      '    Utilization',
      line(2, 'GPU', `${load} %`),
      ...group('GPU', samples),
      ...group('ENC', samples && { max: 0, average: 0 }),
      ...group('DEC', samples && { max: 0, average: 0 }),
    ]),
    '',
  ]
}

/** Returns the lines of the monitoring commands of nvidia-smi; undefined for other commands. Pure. */
export function gpuMonitor(args: readonly string[], gpus: readonly Gpu[]): readonly string[] | undefined {
  const [first] = args
  if (first === 'dmon') return deviceMonitor(args, gpus)
  if (first === 'pmon') return processMonitor(gpus)
  return first === '-q' && args.includes('UTILIZATION') ? utilization(gpus) : undefined
}
