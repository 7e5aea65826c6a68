import { celsius, count, mebibytes, megahertz, percent, type Quantity, watts } from './measured'

interface Column {
  readonly names: readonly string[]
  readonly quantity?: Quantity
}

/**
 * What is asked of `nvidia-smi --query-gpu`, in the order asked. `names`: newest first; a driver that does not know
 * one is asked by the next, and without the column where it knows none. The name stands last, because it alone may
 * hold a comma.
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

/** The same for `nvidia-smi --query-compute-apps`. */
export const processColumns = {
  gpu: { names: ['gpu_uuid'] },
  pid: { names: ['pid'] },
  memory: { names: ['used_gpu_memory', 'used_memory'], quantity: mebibytes },
  name: { names: ['process_name', 'name'] },
} as const satisfies Readonly<Record<string, Column>>

export type Columns = Readonly<Record<string, Column>>

/** The names to ask by, those of `unknown` left out. */
const askedNames = (columns: Columns, unknown: ReadonlySet<string>): readonly string[] =>
  Object.values(columns).flatMap(({ names }) => names.find((name) => !unknown.has(name)) ?? [])

const isAsked = (columns: Columns, name: string): boolean =>
  Object.values(columns).some(({ names }) => names.includes(name))

/** The field that the tool refuses: `Field "mig.mode.current" is not a valid field to query.`; of ours only. */
export function unknownField(said: string, columns: Columns): string | undefined {
  const [, name] = /field "([\w.]{1,80})" is not a valid field/i.exec(said) ?? []
  return name !== undefined && isAsked(columns, name) ? name : undefined
}

// A language with decimal commas must not reach the numbers. `env` is understood by every login shell.
const tool = 'env LC_ALL=C nvidia-smi'

export const gpuQuery = (unknown: ReadonlySet<string>): string =>
  `${tool} --query-gpu=${askedNames(gpuColumns, unknown).join(',')} --format=csv`

export const processQuery = (unknown: ReadonlySet<string>): string =>
  `${tool} --query-compute-apps=${askedNames(processColumns, unknown).join(',')} --format=csv`
