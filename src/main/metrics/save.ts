import { basename } from 'node:path'
import type { ExportedFile, ExportFormat } from '#shared/bridge/export'
import type { GpuSeries } from '#shared/bridge/gpu'
import { type MetricKey, metricKeys, type MetricSeries, type TimeRange } from '#shared/bridge/metrics'
import type { Cell, Column } from '../billing/export/cell'
import { csvWriter, zoneColumn } from '../billing/export/csv'
import { fileFailure } from '../core/failure-of'
import { jsonWriter } from '../billing/export/json'
import { writeTable } from '../billing/export/write-table'
import type { Recording } from './recordings'
import { firstAt } from '#shared/metrics/thin'

interface Row {
  readonly machine: string
  readonly at: number
  readonly values: ReadonlyMap<string, Cell>
}

export interface SavedMachine {
  readonly name: string
  readonly recording: Recording
  readonly gpus: readonly GpuSeries[]
}

const everything: TimeRange = { from: -Infinity, to: Infinity }

const seriesOf = (
  machine: SavedMachine,
  names: ReadonlyMap<MetricKey, string>,
): readonly (readonly [string, MetricSeries])[] => [
  ...metricKeys.map((key) => [names.get(key) ?? key, machine.recording.recorded.series[key]] as const),
  ...machine.gpus.flatMap(({ index, time: times, utilization, memory, temperature, power }) => {
    const gpu = `gpu${String(index)}`
    return [
      [`${gpu} (%)`, { times, values: utilization }],
      [`${gpu}_memory (%)`, { times, values: memory }],
      [`${gpu}_temperature (C)`, { times, values: temperature }],
      [`${gpu}_power (W)`, { times, values: power }],
    ] as const
  }),
]

/** Returns the rows of one machine by time. Series may have different times; unknown values stay empty. */
function rowsOf(
  name: string,
  series: readonly (readonly [string, MetricSeries])[],
  range: TimeRange | null,
): readonly Row[] {
  const { from, to } = range ?? everything
  const rows = new Map<number, Map<string, Cell>>()
  for (const [column, { times, values }] of series) {
    for (let index = firstAt(times, from); index < times.length; index += 1) {
      const time = times[index] ?? 0
      if (time > to) break
      const value = values[index] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const row = rows.get(time) ?? new Map<string, Cell>()
      rows.set(time, row.set(column, value))
    }
  }
  return [...rows].sort(([a], [b]) => a - b).map(([at, values]) => ({ machine: name, at, values }))
}

/** Returns a column name such as "disk_read_gb", with the unit if all machines agree on it. */
function columnName(key: MetricKey, machines: readonly SavedMachine[]): string {
  const names = {
    cpu: ['cpu', 'cpu'],
    memory: ['memory', 'memory'],
    diskRead: ['disk_read', 'disk'],
    diskWrite: ['disk_write', 'disk'],
    networkIn: ['network_in', 'network'],
    networkOut: ['network_out', 'network'],
  } as const
  const [name, group] = names[key]
  const units = new Set(machines.map(({ recording }) => recording.recorded.units[group]))
  const [unit = null] = units
  return units.size === 1 && unit !== null ? `${name} (${unit})` : name
}

const fileName = (machines: readonly SavedMachine[], now: number, extension: string): string => {
  const [only] = machines
  const safeName = only?.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  // File names are limited to 255 bytes.
  const subject =
    (machines.length === 1 && safeName && Array.from(safeName.slice(0, 200)).slice(0, 40).join('')) ||
    'machines'
  return `wheelhouse-metrics-${subject}-${new Date(now * 1000).toISOString().slice(0, 10)}.${extension}`
}

/** Writes every point in `range` to the file that `target` selects. Fails as `target` does, with disk-full and local-fault. */
export async function saveRecordings(
  machines: readonly SavedMachine[],
  range: TimeRange | null,
  format: ExportFormat,
  now: number,
  target: (name: string) => Promise<string>,
): Promise<ExportedFile> {
  const names = new Map(metricKeys.map((key) => [key, columnName(key, machines)] as const))
  const saved = machines.map((machine) => ({ name: machine.name, series: seriesOf(machine, names) }))
  const keys = new Set(saved.flatMap(({ series }) => series.map(([key]) => key)))
  const columns: readonly Column<Row>[] = [
    { key: 'time', cell: ({ at }) => ({ at }) },
    { key: 'machine', cell: ({ machine }) => machine },
    ...[...keys].map((key) => ({ key, cell: ({ values }: Row) => values.get(key) ?? null })),
    zoneColumn,
  ]
  const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns)
  const path = await target(fileName(machines, now, writer.extension))
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    for (const { name, series } of saved) {
      const rows = rowsOf(name, series, range)
      for (let start = 0; start < rows.length; start += 1_000) yield rows.slice(start, start + 1_000)
    }
  }
  try {
    const { rows } = await writeTable(path, pages(), writer, new AbortController().signal)
    return { file: basename(path), rows, complete: true }
  } catch (error) {
    throw fileFailure(error)
  }
}
