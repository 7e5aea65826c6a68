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

/** What the main process said of a machine, its series apart again. */
export type UnpackedView = Omit<MetricsView, 'series'> & { readonly series: AllSeries }

const noSeries = { times: new Float64Array(), values: new Float64Array() }
/** A machine of which nothing is known yet. */
export const unread: UnpackedView = {
  asOf: 0,
  whole: { from: 0, to: 1 },
  units: { cpu: null, memory: null, disk: null, network: null },
  points: 0,
  unusable: 0,
  step: null,
  series: eachSeries(() => noSeries),
}

/** A machine and what is known of its load. */
export interface MeasuredMachine {
  readonly name: string
  /** Its place among all that are compared, also those of which nothing could be read: its colour. */
  readonly place: number
  readonly view: UnpackedView
}

/** One chart: the series of one group, of one machine or of several. */
export interface MetricChart {
  readonly group: MetricGroup | 'gpu' | 'gpuMemory'
  /** Seconds between two points, where they are not those of the service. */
  readonly step?: number
  /** The unit that all lines share; null where they share none. */
  readonly unit: string | null
  readonly lines: readonly TimeLine[]
  /** The top of the value axis, where it is fixed. */
  readonly high: number | undefined
}

/** Machines in one picture: lines of the same colour could not be distinguished. */
export const mostCompared = 8

const keysOf = {
  cpu: ['cpu'],
  memory: ['memory'],
  disk: ['diskRead', 'diskWrite'],
  network: ['networkIn', 'networkOut'],
} as const satisfies Record<MetricGroup, readonly MetricKey[]>

const isAtMost = (values: Float64Array, limit: number): boolean => {
  for (const value of values) if (value > limit) return false
  return true
}

/**
 * The charts of the machines, in the order of metricGroups. `color` gives the color of the machine at a place;
 * `several`: lines are named after their machines.
 */
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
      keysOf[group].map((key, at): TimeLine => {
        const series = t(`metrics.series.${key}`)
        const one = keysOf[group].length === 1
        const named = !several ? series : one ? name : t('metrics.lineOf', { machine: name, series })
        const ownUnit = view.units[group]
        return {
          name:
            units.size > 1 && ownUnit !== null
              ? t('metrics.withUnit', { name: named, unit: ownUnit })
              : named,
          ...view.series[key],
          color: color(several ? place : at),
          dashed: several && at > 0,
        }
      }),
    )
    const percent = unit === '%' && lines.every(({ values }) => isAtMost(values, 100))
    return { group, unit, lines, high: percent ? 100 : undefined }
  })
}

const small = numberFormat({ maximumSignificantDigits: 3 })

/** A measured value in three digits, or in as many as stand before its point. */
export const metricNumber = (value: number): string => (Math.abs(value) < 1_000 ? small : formatCount)(value)

/** The same with its unit. */
export const metricValue = (value: number, unit: string | null): string =>
  unit === null ? metricNumber(value) : t('metrics.value', { value: metricNumber(value), unit })
