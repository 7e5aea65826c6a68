import type { ExportedRows } from '#shared/bridge/export'
import { addDays, addMonths, type CalendarDate } from '#shared/money/calendar'
import type { Column } from './cell'
import { zoneColumn } from './csv'

/** Content of a file. `period`: days of this computer's calendar, `until` excluded; absent: everything. */
export interface Exported {
  readonly name: string
  readonly period: ExportedRows['period'] | undefined
}

/** Returns the day of this computer's calendar that contains a moment (epoch seconds). */
function dayOf(at: number): CalendarDate {
  const date = new Date(at * 1000)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Returns the days of a filter by time (epoch seconds, `to` excluded); undefined without a beginning or an end. */
export const daysOf = ({
  from,
  to,
}: {
  readonly from?: number | undefined
  readonly to?: number | undefined
}): Exported['period'] =>
  from === undefined || to === undefined ? undefined : { from: dayOf(from), until: addDays(dayOf(to - 1), 1) }

/**
 * Returns "costs-2026-10.csv" for a month, "costs-2026-10-05-to-2026-11-03.csv" for other days, else a name with the
 * day of the export.
 */
export function fileName({ name, period }: Exported, now: number, extension: string): string {
  if (!period) return `${name}-${dayOf(now)}.${extension}`
  const { from, until } = period
  const isMonth = from.endsWith('-01') && until === addMonths(from, 1)
  const days = isMonth ? from.slice(0, 7) : `${from}-to-${addDays(until, -1)}`
  return `${name}-${days}.${extension}`
}

/** Context of a row as columns: lines above the header would break programs. */
export const contextColumns = ({
  period,
  account,
  at,
}: {
  readonly period: Exported['period']
  readonly account: string
  /** Epoch seconds. */
  readonly at: number
}): readonly Column<unknown>[] => [
  { key: 'period_from', cell: () => period?.from ?? null },
  { key: 'period_to', cell: () => (period ? addDays(period.until, -1) : null) },
  { key: 'account', cell: () => account },
  { key: 'exported_at', cell: () => ({ at }) },
  zoneColumn,
]
