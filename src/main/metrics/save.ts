import { basename } from 'node:path'
import type { ExportedFile, ExportFormat } from '#shared/bridge/export'
import { type MetricKey, metricKeys, type TimeRange } from '#shared/bridge/metrics'
import type { Cell, Column } from '../billing/export/cell'
import { csvWriter } from '../billing/export/csv'
import { fileFailure } from '../core/file-failure'
import { jsonWriter } from '../billing/export/json'
import { writeTable } from '../billing/export/write-table'
import type { Recording } from './recordings'
import { firstAt } from '#shared/metrics/thin'

/** One machine at one time: what is known of it, in the order of metricKeys. */
interface Row {
  readonly machine: string
  readonly at: number
  readonly values: readonly Cell[]
}

export interface SavedMachine {
  readonly name: string
  readonly recording: Recording
}

const everything: TimeRange = { from: -Infinity, to: Infinity }

/** Rows of one machine by time. The groups may have been measured at different times: what a time does not know is empty. */
function rowsOf({ name, recording }: SavedMachine, range: TimeRange | null): readonly Row[] {
  const { from, to } = range ?? everything
  const rows = new Map<number, Cell[]>()
  metricKeys.forEach((key, column) => {
    const { times, values } = recording.recorded.series[key]
    for (let at = firstAt(times, from); at < times.length; at += 1) {
      const time = times[at] ?? 0
      if (time > to) break
      const value = values[at] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const row = rows.get(time) ?? metricKeys.map(() => null)
      row[column] = value
      rows.set(time, row)
    }
  })
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
  const subject = machines.length === 1 && only ? only.name.replace(/[^\p{L}\p{N}._-]+/gu, '-') : 'machines'
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
  const columns: readonly Column<Row>[] = [
    { key: 'time', cell: ({ at }) => ({ at }) },
    { key: 'machine', cell: ({ machine }) => machine },
    ...metricKeys.map((key, at) => ({
      key: columnName(key, machines),
      cell: ({ values }: Row) => values[at] ?? null,
    })),
  ]
  const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns)
  const path = await target(fileName(machines, now, writer.extension))
  async function* pages(): AsyncGenerator<readonly Row[], void> {
    for (const machine of machines) {
      const rows = rowsOf(machine, range)
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
