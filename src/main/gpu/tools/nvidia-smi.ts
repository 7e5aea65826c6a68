import type { GpuInstance, GpuProcess, GpuReading, GpuReport, Measured } from '#shared/bridge/gpu'
import { copiedText } from '../../core/copied-text'
import { type CsvTable, csvTable } from './csv-table'
import { gpuColumns, processColumns } from './gpu-columns'
import { measured, type Quantity } from './measured'
import { measuredActivity } from './activity'
import { monitorRows, percentIn } from './monitor-table'
import { sections } from './sections'
import { complaintOf, shortened } from './tool-complaint'
import { throttleReasonsOf } from './throttle'
import type { CommandResult } from '../../ssh/client/transport'
import { utilizationSamples } from './utilization-samples'

type GpusReport = Extract<GpuReport, { kind: 'gpus' }>

/** Upper bounds per machine; real machines have at most 16 GPUs. */
const maxGpus = 64
const maxProcesses = 256

interface Column {
  readonly names: readonly string[]
  readonly quantity?: Quantity
}

/** Reads the cells of a table's rows by column; undefined if the table lacks the column. */
function cellsOf(table: CsvTable) {
  const indexes = new Map<Column, number>()
  const indexOf = (column: Column): number => {
    const index = indexes.get(column) ?? table.headings.findIndex(({ name }) => column.names.includes(name))
    indexes.set(column, index)
    return index
  }
  return (row: readonly string[]) => ({
    text: (column: Column): string | undefined => row[indexOf(column)],
    value: (column: Column & { readonly quantity: Quantity }): Measured => {
      const index = indexOf(column)
      const cell = row[index]
      if (cell === undefined) return 'unknown-to-driver'
      // A heading with another unit would change the meaning of every number below it.
      return table.headings[index]?.unit === column.quantity.unit
        ? measured(cell, column.quantity)
        : 'not-understood'
    },
  })
}
type Cells = ReturnType<ReturnType<typeof cellsOf>>

function gpuOf({ text, value }: Cells): GpuReading | undefined {
  const index = text(gpuColumns.index) ?? ''
  if (!/^\d{1,3}$/.test(index)) return undefined
  const uuid = text(gpuColumns.uuid) ?? ''
  const throttle = text(gpuColumns.throttle)
  return {
    id: /^GPU-[0-9a-f-]{8,40}$/i.test(uuid) ? copiedText(uuid) : `gpu-${index}`,
    index: Number(index),
    name: shortened(text(gpuColumns.name) ?? '', 80),
    utilization: value(gpuColumns.utilization),
    samples: null,
    activity: null,
    memoryUsed: value(gpuColumns.memoryUsed),
    memoryTotal: value(gpuColumns.memoryTotal),
    temperature: value(gpuColumns.temperature),
    power: value(gpuColumns.power),
    powerLimit: value(gpuColumns.powerLimit),
    clock: value(gpuColumns.clock),
    clockMax: value(gpuColumns.clockMax),
    memoryClock: value(gpuColumns.memoryClock),
    throttle: throttle === undefined ? 'unknown-to-driver' : throttleReasonsOf(throttle),
    eccCorrected: value(gpuColumns.eccCorrected),
    eccUncorrected: value(gpuColumns.eccUncorrected),
    mig: /^enabled$/i.test(text(gpuColumns.mig) ?? ''),
    instances: [],
  }
}

/** Adds the driver's samples, which are in the order of the GPUs. Adds none if one GPU is missing in either output. */
function withSamples(gpus: readonly GpuReading[], text: string): readonly GpuReading[] {
  const samples = utilizationSamples(text)
  if (samples.length !== gpus.length) return gpus
  // With MIG the samples describe no instance.
  return gpus.map((gpu, index) => ({ ...gpu, samples: gpu.mig ? null : (samples[index] ?? null) }))
}

/** Parses the output of `gpuQuery`. Pure; never throws, whatever the output. */
export function gpuReport(result: CommandResult): GpuReport {
  const { first: queried, others } = sections(result.stdout)
  const table = csvTable(queried, gpuColumns.index.names)
  const rows = table ? table.rows.map(cellsOf(table)) : []
  const gpus = rows.flatMap((row) => gpuOf(row) ?? [])
  const complaint = complaintOf(result)
  if (!table || gpus.length === 0)
    return complaint ?? { kind: 'not-understood', said: shortened(queried || result.stderr) }
  const driver = rows[0]?.text(gpuColumns.driver)
  const said = shortened([...table.others, result.stderr].join(' '))
  return {
    kind: 'gpus',
    tool: 'nvidia-smi',
    driver: driver !== undefined && /^[\d.]{1,20}$/.test(driver) ? copiedText(driver) : null,
    gpus: [...withSamples(gpus.slice(0, maxGpus), others.get('samples') ?? '')],
    processes: null,
    isDetailed: false,
    said: said === '' ? null : said,
  } satisfies GpusReport
}

/** Parses the output of `nvidia-smi --query-compute-apps=… --format=csv`; null if there is no table. */
function listedProcesses(text: string): readonly GpuProcess[] | null {
  const table = csvTable(text, processColumns.gpu.names)
  if (!table) return null
  return table.rows
    .map(cellsOf(table))
    .flatMap(({ text: cell, value }): GpuProcess[] => {
      const pid = cell(processColumns.pid) ?? ''
      if (!/^\d{1,10}$/.test(pid)) return []
      return [
        {
          gpu: shortened(cell(processColumns.gpu) ?? '', 80),
          pid: Number(pid),
          name: shortened(cell(processColumns.name) ?? '', 200),
          memory: value(processColumns.memory),
          share: null,
          user: null,
          command: null,
          seconds: null,
          start: null,
        },
      ]
    })
    .slice(0, maxProcesses)
}

/** Parses the memory of instances in the table "MIG devices" of `nvidia-smi` by index of the GPU and of the instance. */
function sliceMemory(table: string): ReadonlyMap<string, Pick<GpuInstance, 'memoryUsed' | 'memoryTotal'>> {
  const row = /^\| +(\d+) +(?:\d+|N\/A) +(?:\d+|N\/A) +(\d+) +\| +(\d+)MiB \/ +(\d+)MiB /gm
  return new Map(
    [...table.matchAll(row)].map(([, gpu, index, used, total]) => [
      `${gpu}/${index}`,
      { memoryUsed: Number(used), memoryTotal: Number(total) },
    ]),
  )
}

/** Parses the instances in the output of `nvidia-smi -L`, and their memory in its table, by the id of their GPU. */
function instancesIn(list: string, table: string): ReadonlyMap<string, readonly GpuInstance[]> {
  const memory = sliceMemory(table)
  const instances = new Map<string, readonly GpuInstance[]>()
  let [index, gpu] = ['', '']
  for (const line of list.split(/\r?\n/, 1_000)) {
    const heading = /^GPU (\d+): .*\(UUID: (GPU-[0-9a-f-]+)\)/i.exec(line)
    if (heading) [, index = '', gpu = ''] = heading
    const [, profile, device] = /^\s+MIG (\S{1,40})\s+Device +(\d{1,3}):/.exec(line) ?? []
    if (profile === undefined) continue
    const unread = { memoryUsed: 'not-available', memoryTotal: 'not-available' } as const
    const instance = { profile, ...(memory.get(`${index}/${device}`) ?? unread) }
    instances.set(gpu, [...(instances.get(gpu) ?? []), instance])
  }
  return instances
}

/** Parses the shares in the output of `nvidia-smi pmon`, by index of the GPU and process id. */
const sharesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    monitorRows(text).flatMap((row): (readonly [string, number])[] => {
      const share = percentIn(row, 'sm')
      return share === undefined ? [] : [[`${row.get('gpu')}/${row.get('pid')}`, share]]
    }),
  )

/** Adds the output of `detailsQuery` to a report: activity, instances and processes. Pure, never throws. */
export function withDetails(report: GpusReport, stdout: string): GpusReport {
  const { others } = sections(stdout)
  const part = (name: string): string => others.get(name) ?? ''
  const activity = measuredActivity(part('activity'))
  const instances = instancesIn(part('instances'), part('slices'))
  const shares = sharesIn(part('shares'))
  const gpus = report.gpus.map((gpu) => ({
    ...gpu,
    activity: activity.get(gpu.index) ?? null,
    instances: [...(instances.get(gpu.id) ?? [])],
  }))
  const indexOf = (id: string): number | undefined => gpus.find((gpu) => gpu.id === id)?.index
  const processes =
    listedProcesses(part('processes'))?.map((process) => ({
      ...process,
      share: shares.get(`${indexOf(process.gpu)}/${process.pid}`) ?? null,
    })) ?? null
  return { ...report, gpus, processes, isDetailed: true }
}
