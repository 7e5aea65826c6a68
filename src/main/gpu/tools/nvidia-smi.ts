import type { GpuProcess, GpuReading, GpuReport, Measured } from '#shared/bridge/gpu'
import { type CsvTable, csvTable } from './csv-table'
import { gpuColumns, processColumns } from './gpu-columns'
import { measured, type Quantity } from './measured'
import { complaintOf, shortened } from './tool-complaint'
import { throttleReasonsOf } from './throttle'
import type { CommandResult } from '../../ssh/client/transport'

type GpusReport = Extract<GpuReport, { kind: 'gpus' }>

/** Upper bounds per machine; real machines have at most 16 GPUs. */
const maxGpus = 64
const maxProcesses = 256

interface Column {
  readonly names: readonly string[]
  readonly quantity?: Quantity
}

/** Reads the cells of a row by column; undefined if the table lacks the column. */
const cellsOf = (table: CsvTable, row: readonly string[]) => {
  const columnIndex = ({ names }: Column) => table.headings.findIndex(({ name }) => names.includes(name))
  return {
    text: (column: Column): string | undefined => row[columnIndex(column)],
    value: (column: Column & { readonly quantity: Quantity }): Measured => {
      const index = columnIndex(column)
      const cell = row[index]
      if (cell === undefined) return 'unknown-to-driver'
      // A heading with another unit would change the meaning of every number below it.
      return table.headings[index]?.unit === column.quantity.unit
        ? measured(cell, column.quantity)
        : 'not-understood'
    },
  }
}

function gpuOf(table: CsvTable, row: readonly string[]): GpuReading | undefined {
  const { text, value } = cellsOf(table, row)
  const index = text(gpuColumns.index) ?? ''
  if (!/^\d{1,3}$/.test(index)) return undefined
  const uuid = text(gpuColumns.uuid) ?? ''
  const throttle = text(gpuColumns.throttle)
  return {
    id: /^GPU-[0-9a-f-]{8,40}$/i.test(uuid) ? uuid : `gpu-${index}`,
    index: Number(index),
    name: shortened(text(gpuColumns.name) ?? '', 80),
    utilization: value(gpuColumns.utilization),
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
  }
}

/** Parses the output of `nvidia-smi --query-gpu=… --format=csv`. Pure; never throws, whatever the output. */
export function gpuReport(result: CommandResult): GpuReport {
  const table = csvTable(result.stdout, gpuColumns.index.names)
  const gpus = (table?.rows ?? []).flatMap((row) => (table && gpuOf(table, row)) ?? [])
  const complaint = complaintOf(result)
  if (!table || gpus.length === 0)
    return complaint ?? { kind: 'not-understood', said: shortened(result.stdout || result.stderr) }
  const [first = []] = table.rows
  const driver = cellsOf(table, first).text(gpuColumns.driver)
  const said = shortened([...table.others, result.stderr].join(' '))
  return {
    kind: 'gpus',
    tool: 'nvidia-smi',
    driver: driver !== undefined && /^[\d.]{1,20}$/.test(driver) ? driver : null,
    gpus: gpus.slice(0, maxGpus),
    processes: null,
    said: said === '' ? null : said,
  } satisfies GpusReport
}

/** Parses the output of `nvidia-smi --query-compute-apps=… --format=csv`; null if there is no table. Pure, never throws. */
export function processesOf(result: CommandResult): GpuProcess[] | null {
  const table = csvTable(result.stdout, processColumns.gpu.names)
  if (!table) return null
  return table.rows
    .flatMap((row): GpuProcess[] => {
      const { text, value } = cellsOf(table, row)
      const pid = text(processColumns.pid) ?? ''
      if (!/^\d{1,10}$/.test(pid)) return []
      return [
        {
          gpu: shortened(text(processColumns.gpu) ?? '', 80),
          pid: Number(pid),
          name: shortened(text(processColumns.name) ?? '', 200),
          memory: value(processColumns.memory),
        },
      ]
    })
    .slice(0, maxProcesses)
}
