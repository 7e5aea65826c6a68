import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type MetricPeriod, type TimeRange, unpackSeries } from '#shared/bridge/metrics'
import { failureOf, type Failure } from '#shared/failure'
import { useLooking } from '../../stores/in-view'
import { useResuming } from '../../stores/resuming'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { keptWithin } from '../../components/charts/time-range'
import { covers, type HeldViews, maxPoints, thinned, zoomDetail } from './held-views'
import type { UnpackedView } from './metric-lines'

interface Shown {
  readonly range: TimeRange
  readonly whole: TimeRange
  readonly views: ReadonlyMap<string, UnpackedView>
}

export interface MetricsQuery {
  account(): AccountId
  machines(): readonly string[]
  period(): MetricPeriod
  /** Width of the charts in pixels. Nothing is read while it is 0. */
  width(): number
}

const minRangeSeconds = 120

const unionOf = (wholes: readonly TimeRange[]): TimeRange => ({
  from: Math.min(...wholes.map(({ from }) => from)),
  to: Math.max(...wholes.map(({ to }) => to)),
})

/** Reads the metrics of machines when the query changes and when main has new data. The zoom stays. */
export function useMetrics(query: MetricsQuery) {
  const shown = shallowRef<Shown | null>(null)
  const failures = shallowRef<ReadonlyMap<string, Failure>>(new Map())
  const busy = ref(false)
  const zoomed = shallowRef<TimeRange | null>(null)
  let latest = 0

  async function read(
    machine: string,
    range: TimeRange | null,
    width: number,
    fresh: boolean,
  ): Promise<UnpackedView> {
    const view = await bridge.call('metrics.read', {
      account: query.account(),
      machine,
      period: query.period(),
      range,
      width,
      fresh,
    })
    return { ...view, series: unpackSeries(view.series) }
  }

  let held: HeldViews | null = null
  const width = (): number => Math.round(query.width())

  /** Reads all machines for `range`, with `detail` points per pixel. The newest request wins. */
  async function show(range: TimeRange | null, fresh: boolean, detail = 1): Promise<void> {
    const request = ++latest
    const parts = Math.min(maxPoints, width() * detail)
    const views = new Map<string, UnpackedView>()
    const failed = new Map<string, Failure>()
    await Promise.all(
      query.machines().map(async (machine) => {
        try {
          views.set(machine, await read(machine, range, parts, fresh))
        } catch (error) {
          failed.set(machine, failureOf(error, t('metrics.title')))
        }
      }),
    )
    if (request !== latest) return
    failures.value = failed
    if (views.size === 0) return
    // A machine that cannot be read keeps its last view.
    for (const machine of query.machines()) {
      const before = held?.views.get(machine)
      if (before && !views.has(machine)) views.set(machine, before)
    }
    const whole = unionOf([...views.values()].map((view) => view.whole))
    const drawn = range ?? whole
    const inOrder = query.machines().flatMap((machine) => {
      const view = views.get(machine)
      return view ? [[machine, view] as const] : []
    })
    held = { range: drawn, part: (drawn.to - drawn.from) / parts, views: new Map(inOrder) }
    shown.value = { range: drawn, whole, views: detail === 1 ? held.views : thinned(held, drawn, width()) }
  }

  /** Shows a zoom step, from the held views if their resolution suffices. */
  async function step(range: TimeRange, whole: TimeRange): Promise<void> {
    if (held && covers(held, range, width())) {
      latest += 1
      shown.value = { range, whole, views: thinned(held, range, width()) }
    } else await show(range, false, range === whole ? 1 : zoomDetail)
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

  let nextRange: TimeRange | undefined
  let stepping = false
  /** Zooms to a range; null shows the whole period. While a step is loading, only the newest range waits. */
  async function zoom(range: TimeRange | null): Promise<void> {
    const whole = shown.value?.whole
    if (!whole) return
    const part = range && keptWithin(range, whole, minRangeSeconds)
    zoomed.value = part && part.to - part.from < whole.to - whole.from ? part : null
    nextRange = zoomed.value ?? whole
    if (stepping) return
    stepping = true
    try {
      while (nextRange !== undefined) {
        const next = nextRange
        nextRange = undefined
        await step(next, whole)
      }
    } finally {
      stepping = false
    }
  }

  watch([query.account, () => query.machines().join('/'), query.period], () => {
    zoomed.value = null
    held = null
    void load()
  })
  watch(query.width, (now, before) => {
    if (shown.value === null || Math.abs(now - before) >= 1) void load()
  })
  void load()
  const subjectInView = () => {
    const [account, machines, period] = [query.account(), query.machines(), query.period()]
    return machines.length === 0 ? null : { account, machines: [...machines], period }
  }
  useLooking(subjectInView, (subject, looking) => bridge.call('metrics.look', { ...subject, looking }))
  useResuming({
    account: query.account,
    failure: () => [...failures.value.values()][0] ?? null,
    read: load,
  })
  const unsubscribe = bridge.on('metrics.changed', (changed) => {
    if (JSON.stringify(changed) === JSON.stringify(subjectInView())) void load()
  })
  onScopeDispose(unsubscribe)

  const empty = computed(
    () => shown.value !== null && [...shown.value.views.values()].every(({ points }) => points === 0),
  )
  return { shown, failures, busy, zoomed, zoom, load, empty }
}
