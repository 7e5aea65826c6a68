import { basename } from 'node:path'
import type { ExportedFile, ExportFormat } from '#shared/bridge/export'
import type { GpuSeries } from '#shared/bridge/gpu'
import { type MetricKey, metricKeys, type MetricSeries, type TimeRange } from '#shared/bridge/metrics'
import type { Cell, Column } from '../billing/export/cell'
import { csvWriter, zoneColumn } from '../billing/export/csv'
import { fileFailure } from '../core/file-failure'
import { jsonWriter } from '../billing/export/json'
import { writeTable } from '../billing/export/write-table'
import type { Recording } from './recordings'
import { firstAt } from '#shared/metrics/thin'

/** One machine at one time: what is known of it, by column. */
interface Row {
  readonly machine: string
  readonly at: number
  readonly values: ReadonlyMap<string, Cell>
}

export interface SavedMachine {
  readonly name: string
  readonly recording: Recording
  /** As far as they were read. */
  readonly gpus: readonly GpuSeries[]
}

const everything: TimeRange = { from: -Infinity, to: Infinity }

/** The series of one machine by the names of their columns. */
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

/** Rows of one machine by time. The series may have been measured at different times: what a time does not know is empty. */
function rowsOf(
  name: string,
  all: readonly (readonly [string, MetricSeries])[],
  range: TimeRange | null,
): readonly Row[] {
  const { from, to } = range ?? everything
  const rows = new Map<number, Map<string, Cell>>()
  for (const [column, { times, values }] of all) {
    for (let at = firstAt(times, from); at < times.length; at += 1) {
      const time = times[at] ?? 0
      if (time > to) break
      const value = values[at] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const row = rows.get(time) ?? new Map<string, Cell>()
      rows.set(time, row.set(column, value))
    }
  }
  return [...rows]
    .sort(([one], [other]) => one - other)
    .map(([at, values]) => ({ machine: name, at, values }))
}

/** "disk_read_gb": named as in the service's answer, with the unit where all agree on it. */
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
  const plain = only?.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  // File systems take names of 255 bytes.
  const subject =
    (machines.length === 1 && plain && Array.from(plain.slice(0, 200)).slice(0, 40).join('')) || 'machines'
  return `wheelhouse-metrics-${subject}-${new Date(now * 1000).toISOString().slice(0, 10)}.${extension}`
}

/** Writes every point in `range` into the file that `target` finds out. Fails with what it fails with, disk-full and local-fault. */
export async function saveRecordings(
  machines: readonly SavedMachine[],
  range: TimeRange | null,
  format: ExportFormat,
  now: number,
  target: (name: string) => Promise<string>,
): Promise<ExportedFile> {
  const names = new Map(metricKeys.map((key) => [key, columnName(key, machines)] as const))
  const saved = machines.map((machine) => ({ name: machine.name, all: seriesOf(machine, names) }))
  const keys = new Set(saved.flatMap(({ all }) => all.map(([key]) => key)))
  const columns: readonly Column<Row>[] = [
    { key: 'time', cell: ({ at }) => ({ at }) },
    { key: 'machine', cell: ({ machine }) => machine },
    ...[...keys].map((key) => ({ key, cell: ({ values }: Row) => values.get(key) ?? null })),
    zoneColumn,
  ]
  const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns)
  const path = await target(fileName(machines, now, writer.extension))
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    for (const { name, all } of saved) {
      const rows = rowsOf(name, all, range)
      for (let at = 0; at < rows.length; at += 1_000) yield rows.slice(at, at + 1_000)
    }
  }
  try {
    const { rows } = await writeTable(path, pages(), writer, new AbortController().signal)
    return { file: basename(path), rows, complete: true }
  } catch (error) {
    throw fileFailure(error)
  }
}
