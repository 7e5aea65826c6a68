import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type MetricPeriod, type TimeRange, unpackSeries } from '#shared/bridge/metrics'
import { failureOf, type Failure } from '#shared/failure'
import { bridge } from '../../app/bridge'
import { t } from '../../app/i18n'
import { keptWithin } from '../charts/time-range'
import type { UnpackedView } from './metric-lines'

/** What is drawn: the machines' load in one part of the time. */
interface Shown {
  readonly range: TimeRange
  readonly whole: TimeRange
  readonly views: ReadonlyMap<string, UnpackedView>
}

export interface MetricsQuery {
  account(): AccountId
  /** Ids. */
  machines(): readonly string[]
  period(): MetricPeriod
  /** Pixels to draw into; nothing is read before there are any. */
  width(): number
}

/** Milliseconds between two questions for what is new, while the charts are looked at. */
const refreshEvery = 60_000
/** Seconds: no part of the time that is shown is shorter. */
const shortest = 120

const unionOf = (wholes: readonly TimeRange[]): TimeRange => ({
  from: Math.min(...wholes.map(({ from }) => from)),
  to: Math.max(...wholes.map(({ to }) => to)),
})

/** The load of one machine or several, read when something is asked for and every minute; a zoom outlives that. */
export function useMetrics(query: MetricsQuery) {
  const shown = shallowRef<Shown | null>(null)
  /** Why a machine's load could not be read last. */
  const failures = shallowRef<ReadonlyMap<string, Failure>>(new Map())
  const busy = ref(false)
  /** The part that the person chose; null: the whole period. */
  const zoomed = shallowRef<TimeRange | null>(null)
  let turn = 0

  async function read(machine: string, range: TimeRange | null, fresh: boolean): Promise<UnpackedView> {
    const width = Math.round(query.width())
    const view = await bridge.call('metrics.read', {
      ...{ account: query.account(), machine, period: query.period(), range, width, fresh },
    })
    return { ...view, series: unpackSeries(view.series) }
  }

  /** Reads all machines for `range`; whatever was asked for later wins. */
  async function show(range: TimeRange | null, fresh: boolean): Promise<void> {
    const mine = ++turn
    const views = new Map<string, UnpackedView>()
    const failed = new Map<string, Failure>()
    await Promise.all(
      query.machines().map(async (machine) => {
        try {
          views.set(machine, await read(machine, range, fresh))
        } catch (error) {
          failed.set(machine, failureOf(error, t('metrics.title')))
        }
      }),
    )
    if (mine !== turn) return
    failures.value = failed
    if (views.size === 0) return
    // A machine that cannot be read now keeps what was read of it.
    for (const machine of query.machines()) {
      const before = shown.value?.views.get(machine)
      if (before && !views.has(machine)) views.set(machine, before)
    }
    const whole = unionOf([...views.values()].map((view) => view.whole))
    shown.value = {
      range: range ?? whole,
      whole,
      views: new Map(
        query.machines().flatMap((machine) => {
          const view = views.get(machine)
          return view ? [[machine, view] as const] : []
        }),
      ),
    }
  }

  async function load(fresh = false): Promise<void> {
    if (query.width() <= 0 || query.machines().length === 0) return
    busy.value = true
    try {
      await show(zoomed.value, fresh)
    } finally {
      busy.value = false
    }
  }

  let asked: TimeRange | null | undefined
  let zooming = false
  /** Shows a part of the time, thinned for it by the main process; null: all of it. While one step is drawn, only the newest waits. */
  async function zoom(range: TimeRange | null): Promise<void> {
    const whole = shown.value?.whole
    if (!whole) return
    const kept = range && keptWithin(range, whole, shortest)
    zoomed.value = kept && kept.to - kept.from < whole.to - whole.from ? kept : null
    asked = zoomed.value
    if (zooming) return
    zooming = true
    try {
      while (asked !== undefined) {
        const next = asked
        asked = undefined
        await show(next, false)
      }
    } finally {
      zooming = false
    }
  }

  watch([query.account, () => query.machines().join('/'), query.period], () => {
    zoomed.value = null
    void load()
  })
  watch(query.width, (now, before) => {
    if (shown.value === null || Math.abs(now - before) >= 1) void load()
  })
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void load(true)
  }, refreshEvery)
  onScopeDispose(() => clearInterval(timer))

  const empty = computed(
    () => shown.value !== null && [...shown.value.views.values()].every(({ points }) => points === 0),
  )
  return { shown, failures, busy, zoomed, zoom, load, empty }
}
