import type { Gpu, GpuProcess } from './gpu'

interface Field<Item> {
  readonly heading?: string
  readonly unit?: string
  value(item: Item): string | number
}

const notAvailable = '[N/A]'
const hex = (mask: number): string => `0x${mask.toString(16).padStart(16, '0')}`

/** Microseconds that heat slowed a hot GPU. */
const slowedByHeat = ({ temperature }: Gpu): number => (temperature > 90 ? 84_000_000 : 0)

export const driverVersion = '550.90.07'

const gpuFields: Readonly<Record<string, Field<Gpu>>> = {
  index: { value: ({ index }) => index },
  uuid: { value: ({ uuid }) => uuid },
  name: { value: ({ name }) => name },
  gpu_name: { heading: 'name', value: ({ name }) => name },
  'pci.bus_id': { value: ({ bus }) => bus },
  driver_version: { value: () => driverVersion },
  pstate: { value: ({ load }) => (load === 0 ? 'P8' : 'P0') },
  'utilization.gpu': {
    unit: '%',
    value: ({ load, instances }) => (instances.length > 0 ? notAvailable : load),
  },
  'utilization.memory': { unit: '%', value: ({ load }) => Math.round(load * 0.6) },
  'memory.used': { unit: 'MiB', value: ({ memoryUsed }) => memoryUsed },
  'memory.total': { unit: 'MiB', value: ({ memory }) => memory },
  'memory.free': { unit: 'MiB', value: ({ memory, memoryUsed }) => memory - memoryUsed },
  'temperature.gpu': { value: ({ temperature }) => temperature },
  'power.draw': { unit: 'W', value: ({ power }) => power.toFixed(2) },
  'power.limit': { unit: 'W', value: ({ powerLimit }) => powerLimit.toFixed(2) },
  'clocks.current.sm': { unit: 'MHz', value: ({ clock }) => clock },
  'clocks.sm': { heading: 'clocks.current.sm', unit: 'MHz', value: ({ clock }) => clock },
  'clocks.max.sm': { unit: 'MHz', value: ({ clockMax }) => clockMax },
  'clocks.current.memory': { unit: 'MHz', value: ({ memoryClock }) => memoryClock },
  'clocks.mem': { heading: 'clocks.current.memory', unit: 'MHz', value: ({ memoryClock }) => memoryClock },
  'clocks_event_reasons.active': { value: ({ throttle }) => hex(throttle) },
  'clocks_throttle_reasons.active': { value: ({ throttle }) => hex(throttle) },
  'ecc.errors.corrected.volatile.total': { value: ({ ecc }) => ecc?.corrected ?? notAvailable },
  'ecc.errors.uncorrected.volatile.total': { value: ({ ecc }) => ecc?.uncorrected ?? notAvailable },
  'ecc.errors.uncorrected.aggregate.total': { value: ({ ecc }) => ecc?.uncorrected ?? notAvailable },
  'remapped_rows.uncorrectable': { value: ({ isRemapPending }) => (isRemapPending ? 1 : 0) },
  'remapped_rows.pending': { value: ({ isRemapPending }) => (isRemapPending ? 'Yes' : 'No') },
  'remapped_rows.failure': { value: () => 'No' },
  gpu_recovery_action: { value: ({ recovery }) => recovery },
  persistence_mode: { value: () => 'Enabled' },
  'pcie.link.gen.current': { value: ({ pcie }) => pcie.gen },
  'pcie.link.gen.max': { value: ({ pcie }) => pcie.maxGen },
  'pcie.link.gen.gpumax': { value: ({ pcie }) => pcie.maxGen },
  'pcie.link.width.current': { value: ({ pcie }) => pcie.width },
  'pcie.link.width.max': { value: () => 16 },
  'clocks_event_reasons_counters.sw_thermal_slowdown': { unit: 'us', value: slowedByHeat },
  'clocks_event_reasons_counters.hw_thermal_slowdown': { unit: 'us', value: () => 0 },
  'mig.mode.current': {
    value: ({ ecc, instances }) => (instances.length > 0 ? 'Enabled' : ecc ? 'Disabled' : notAvailable),
  },
}

type OnGpu = GpuProcess & { readonly gpu: Gpu }
const used: Field<OnGpu> = { heading: 'used_gpu_memory', unit: 'MiB', value: ({ memory }) => memory }
const processFields: Readonly<Record<string, Field<OnGpu>>> = {
  gpu_uuid: { value: ({ gpu }) => gpu.uuid },
  gpu_name: { value: ({ gpu }) => gpu.name },
  pid: { value: ({ pid }) => pid },
  process_name: { value: ({ name }) => name },
  name: { heading: 'process_name', value: ({ name }) => name },
  used_gpu_memory: used,
  used_memory: used,
}

export interface QueryOutput {
  readonly lines: readonly string[]
  readonly status: number
}

function table<Item>(
  items: readonly Item[],
  fields: Readonly<Record<string, Field<Item>>>,
  fieldNames: readonly string[],
  format: ReadonlySet<string>,
): QueryOutput {
  const columns = fieldNames.map((name) => ({
    name,
    field: Object.hasOwn(fields, name) ? fields[name] : undefined,
  }))
  const unknown = columns.find(({ field }) => field === undefined)
  if (unknown) return { lines: [`Field "${unknown.name}" is not a valid field to query.`, ''], status: 2 }
  const heading = columns
    .map(
      ({ name, field }) =>
        `${field?.heading ?? name}${field?.unit && !format.has('nounits') ? ` [${field.unit}]` : ''}`,
    )
    .join(', ')
  const cell = (item: Item, field: Field<Item> | undefined): string => {
    const value = String(field?.value(item) ?? '')
    return field?.unit && !format.has('nounits') && value !== notAvailable ? `${value} ${field.unit}` : value
  }
  const rows = items.map((item) => columns.map(({ field }) => cell(item, field)).join(', '))
  return { lines: format.has('noheader') ? rows : [heading, ...rows], status: 0 }
}

/** Returns the output of nvidia-smi for these options; undefined if they are not a query. Pure. */
export function gpuQuery(args: readonly string[], gpus: readonly Gpu[]): QueryOutput | undefined {
  const options = new Map(
    args.map((arg) => {
      const [name = '', ...value] = arg.split('=')
      return [name, value.join('=')] as const
    }),
  )
  const format = new Set((options.get('--format') ?? '').split(','))
  const ofGpus = options.get('--query-gpu')
  const ofProcesses = options.get('--query-compute-apps')
  if (ofGpus === undefined && ofProcesses === undefined) return undefined
  if (!format.has('csv'))
    return {
      lines: ["Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.", ''],
      status: 2,
    }
  if (ofGpus !== undefined) return table(gpus, gpuFields, ofGpus.split(','), format)
  const processes = gpus.flatMap((gpu) => gpu.processes.map((process) => ({ ...process, gpu })))
  return table(processes, processFields, (ofProcesses ?? '').split(','), format)
}
