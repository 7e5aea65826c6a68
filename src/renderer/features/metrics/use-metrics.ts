import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type MetricPeriod, type TimeRange, unpackSeries } from '#shared/bridge/metrics'
import { failureOf, type Failure } from '#shared/failure'
import { useLooking } from '../../stores/in-view'
import { useResuming } from '../../stores/resuming'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { keptWithin } from '../../components/charts/time-range'
import { covers, finer, finest, type HeldViews, thinned } from './held-views'
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

/** Seconds: no part of the time that is shown is shorter. */
const shortest = 120

const unionOf = (wholes: readonly TimeRange[]): TimeRange => ({
  from: Math.min(...wholes.map(({ from }) => from)),
  to: Math.max(...wholes.map(({ to }) => to)),
})

/** The load of one machine or several, read when something is asked for and when main has read it again; a zoom outlives that. */
export function useMetrics(query: MetricsQuery) {
  const shown = shallowRef<Shown | null>(null)
  /** Why a machine's load could not be read last. */
  const failures = shallowRef<ReadonlyMap<string, Failure>>(new Map())
  const busy = ref(false)
  /** The part that the person chose; null: the whole period. */
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

  /** Reads all machines for `range`, `detail` times as fine as the pixels; whatever was asked for later wins. */
  async function show(range: TimeRange | null, fresh: boolean, detail = 1): Promise<void> {
    const mine = ++latest
    const parts = Math.min(finest, width() * detail)
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
    if (mine !== latest) return
    failures.value = failed
    if (views.size === 0) return
    // A machine that cannot be read now keeps what was read of it.
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

  /** A step of the zoom, from what is held where that is fine enough. */
  async function step(range: TimeRange, whole: TimeRange): Promise<void> {
    if (held && covers(held, range, width())) {
      latest += 1
      shown.value = { range, whole, views: thinned(held, range, width()) }
    } else await show(range, false, range === whole ? 1 : finer)
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

  let asked: TimeRange | undefined
  let stepping = false
  /** Shows a part of the time; null: all of it. While one step is on its way, only the newest waits. */
  async function zoom(range: TimeRange | null): Promise<void> {
    const whole = shown.value?.whole
    if (!whole) return
    const kept = range && keptWithin(range, whole, shortest)
    zoomed.value = kept && kept.to - kept.from < whole.to - whole.from ? kept : null
    asked = zoomed.value ?? whole
    if (stepping) return
    stepping = true
    try {
      while (asked !== undefined) {
        const next = asked
        asked = undefined
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
  const looked = () => {
    const [account, machines, period] = [query.account(), query.machines(), query.period()]
    return machines.length === 0 ? null : { account, machines: [...machines], period }
  }
  useLooking(looked, (subject, looking) => bridge.call('metrics.look', { ...subject, looking }))
  useResuming({
    account: query.account,
    failure: () => [...failures.value.values()][0] ?? null,
    read: load,
  })
  const unsubscribe = bridge.on('metrics.changed', (changed) => {
    if (JSON.stringify(changed) === JSON.stringify(looked())) void load()
  })
  onScopeDispose(unsubscribe)

  const empty = computed(
    () => shown.value !== null && [...shown.value.views.values()].every(({ points }) => points === 0),
  )
  return { shown, failures, busy, zoomed, zoom, load, empty }
}
