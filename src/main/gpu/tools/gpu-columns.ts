import { celsius, count, mebibytes, megahertz, percent, type Quantity, watts } from './measured'

interface Column {
  readonly names: readonly string[]
  readonly quantity?: Quantity
}

/**
 * Columns of `nvidia-smi --query-gpu` in query order. `names`: newest first; drivers that do not know a name are queried
 * with the next, or without the column. The GPU's name is last because only it may contain a comma.
 */
export const gpuColumns = {
  index: { names: ['index'] },
  uuid: { names: ['uuid'] },
  driver: { names: ['driver_version'] },
  utilization: { names: ['utilization.gpu'], quantity: percent },
  memoryUsed: { names: ['memory.used'], quantity: mebibytes },
  memoryTotal: { names: ['memory.total'], quantity: mebibytes },
  temperature: { names: ['temperature.gpu'], quantity: celsius },
  power: { names: ['power.draw'], quantity: watts },
  powerLimit: { names: ['power.limit'], quantity: watts },
  clock: { names: ['clocks.current.sm', 'clocks.sm'], quantity: megahertz },
  clockMax: { names: ['clocks.max.sm'], quantity: megahertz },
  memoryClock: { names: ['clocks.current.memory', 'clocks.mem'], quantity: megahertz },
  throttle: { names: ['clocks_event_reasons.active', 'clocks_throttle_reasons.active'] },
  eccCorrected: { names: ['ecc.errors.corrected.volatile.total'], quantity: count },
  eccUncorrected: { names: ['ecc.errors.uncorrected.volatile.total'], quantity: count },
  mig: { names: ['mig.mode.current'] },
  name: { names: ['name'] },
} as const satisfies Readonly<Record<string, Column>>

export const processColumns = {
  gpu: { names: ['gpu_uuid'] },
  pid: { names: ['pid'] },
  memory: { names: ['used_gpu_memory'], quantity: mebibytes },
  name: { names: ['process_name'] },
} as const satisfies Readonly<Record<string, Column>>

const queryNames = (
  columns: Readonly<Record<string, Column>>,
  unknown: ReadonlySet<string>,
): readonly string[] =>
  Object.values(columns).flatMap(({ names }) => names.find((name) => !unknown.has(name)) ?? [])

const isColumn = (name: string): boolean =>
  Object.values<Column>(gpuColumns).some(({ names }) => names.includes(name))

/** Returns our column that the tool rejects: `Field "mig.mode.current" is not a valid field to query.` */
export function unknownField(output: string): string | undefined {
  const [, name] = /field "([\w.]{1,80})" is not a valid field/i.exec(output) ?? []
  return name !== undefined && isColumn(name) ? name : undefined
}

// LC_ALL=C prevents decimal commas. Every login shell understands `env`.
const tool = 'env LC_ALL=C nvidia-smi'

/**
 * Script that reads the GPUs: their values, then the utilization that the driver sampled over the last seconds. If the first
 * command fails, its status is the script's.
 */
export const gpuQuery = (unknown: ReadonlySet<string>): string =>
  [
    `${tool} --query-gpu=${queryNames(gpuColumns, unknown).join(',')} --format=csv || exit`,
    `echo '== samples'; ${tool} -q -d UTILIZATION 2>/dev/null`,
  ].join('; ')

/** Metrics of `nvidia-smi dmon --gpm-metrics`: SM and tensor activity, memory bandwidth. Hopper and later have them. */
const gpmMetrics = '2,5,10'

/**
 * Script that reads the processes and, within two seconds, how much of each GPU is in use. `hasActivity`: whether the GPUs
 * may have counters of their activity. `hasInstances`: whether a GPU is split (MIG).
 */
export const detailsQuery = (has: { readonly activity: boolean; readonly instances: boolean }): string =>
  [
    ...(has.activity
      ? // The first two lines have no values.
        [`echo '== activity'; ${tool} dmon -c 3 --gpm-metrics ${gpmMetrics} 2>/dev/null`]
      : []),
    ...(has.instances
      ? [`echo '== instances'; ${tool} -L 2>/dev/null`, `echo '== slices'; ${tool} 2>/dev/null`]
      : []),
    `echo '== processes'; ${tool} --query-compute-apps=${queryNames(processColumns, new Set()).join(',')} --format=csv 2>/dev/null`,
    `echo '== shares'; ${tool} pmon -c 1 -s um 2>/dev/null`,
  ].join('; ')
