import {
  type AllSeries,
  eachSeries,
  type MetricGroup,
  type MetricKey,
  metricGroups,
  type MetricsView,
} from '#shared/bridge/metrics'
import { formatCount, numberFormat } from '#shared/locale'
import { t } from '../../platform/i18n'
import type { TimeLine } from '../../components/charts/time-line'

export type UnpackedView = Omit<MetricsView, 'series'> & { readonly series: AllSeries }

const noSeries = { times: new Float64Array(), values: new Float64Array() }
export const unread: UnpackedView = {
  asOf: 0,
  whole: { from: 0, to: 1 },
  units: { cpu: null, memory: null, disk: null, network: null },
  points: 0,
  unusable: 0,
  step: null,
  series: eachSeries(() => noSeries),
}

export interface MeasuredMachine {
  readonly name: string
  /** Index among all compared machines, including unread ones, which decides the colour. */
  readonly place: number
  readonly view: UnpackedView
}

export interface MetricChart {
  readonly group: MetricGroup | 'gpu' | 'gpuMemory'
  /** Seconds between two points, if different from the service's. */
  readonly step?: number
  /** Unit of all lines; null if they differ. */
  readonly unit: string | null
  readonly lines: readonly TimeLine[]
  /** Fixed top of the value axis. */
  readonly high: number | undefined
}

/** Maximum number of compared machines, so that each line has its own colour. */
export const maxCompared = 8

const keysOf = {
  cpu: ['cpu'],
  memory: ['memory'],
  disk: ['diskRead', 'diskWrite'],
  network: ['networkIn', 'networkOut'],
} as const satisfies Record<MetricGroup, readonly MetricKey[]>

function lineName(group: MetricGroup, key: MetricKey, machine: string | null): string {
  const series = t(`metrics.series.${key}`)
  if (machine === null) return series
  return keysOf[group].length === 1 ? machine : t('metrics.lineOf', { machine, series })
}

const isAtMost = (values: Float64Array, limit: number): boolean => {
  for (const value of values) if (value > limit) return false
  return true
}

/** Returns the charts in the order of metricGroups. `several` names the lines after their machines. */
export function metricCharts(
  machines: readonly MeasuredMachine[],
  color: (place: number) => string,
  several: boolean,
): readonly MetricChart[] {
  return metricGroups.map((group) => {
    const units = new Set(machines.map(({ view }) => view.units[group]))
    const [first = null] = units
    const unit = units.size === 1 ? first : null
    const lines = machines.flatMap(({ name, place, view }) =>
      keysOf[group].map((key, index): TimeLine => {
        const label = lineName(group, key, several ? name : null)
        const ownUnit = view.units[group]
        return {
          name:
            units.size > 1 && ownUnit !== null
              ? t('metrics.withUnit', { name: label, unit: ownUnit })
              : label,
          ...view.series[key],
          color: color(several ? place : index),
          dashed: several && index > 0,
        }
      }),
    )
    const percent = unit === '%' && lines.every(({ values }) => isAtMost(values, 100))
    return { group, unit, lines, high: percent ? 100 : undefined }
  })
}

const small = numberFormat({ maximumSignificantDigits: 3 })

/** Formats a value with three significant digits, or all digits before its decimal point. */
export const metricNumber = (value: number): string => (Math.abs(value) < 1_000 ? small : formatCount)(value)

export const metricValue = (value: number, unit: string | null): string =>
  unit === null ? metricNumber(value) : t('metrics.value', { value: metricNumber(value), unit })
