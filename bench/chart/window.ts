import { createPinia } from 'pinia'
import { createApp, h, nextTick, ref, shallowRef } from 'vue'
import { NConfigProvider, NMessageProvider } from 'naive-ui'
import { bridge } from '../../src/renderer/app/bridge'
import '../../src/renderer/app/base.css'
import { i18n } from '../../src/renderer/app/i18n'
import { allowOwnStyles } from '../../src/renderer/app/style-nonce'
import { cssVariables } from '../../src/renderer/app/theme'
import MetricCharts from '../../src/renderer/parts/metrics/MetricCharts.vue'
import { otherCharts, type RawSeries } from './other-charts'

/** What bench/chart.ts hands over: where the measurements are, and all of them. */
export interface Setup {
  readonly account: string
  readonly machine: string
  readonly raw: Readonly<Record<keyof RawSeries, readonly number[]>>
  readonly rounds: number
}
/** Milliseconds of each round or step. */
export interface Measured {
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

const height = 116
const place = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element ${id}`)
  return element
}

/** The application's own charts in the page, shown or not. */
function mountCharts({ account, machine }: Setup) {
  const shown = ref(false)
  const charts = shallowRef<{ zoom(range: { from: number; to: number } | null): Promise<void> } | null>(null)
  let waiting: (() => void) | undefined
  let drawn = 0
  const count = (): void => {
    drawn += 1
    waiting?.()
  }
  const root = {
    render: () =>
      h(NConfigProvider, () =>
        h(NMessageProvider, () =>
          shown.value
            ? h(MetricCharts, {
                ref: charts,
                account,
                machines: [{ id: machine, name: 'machine' }],
                period: '30d',
                height,
                onDrawn: count,
              })
            : null,
        ),
      ),
  }
  createApp(root).use(createPinia()).use(i18n).mount(place('app'))
  const nextDrawn = (): Promise<void> => new Promise((resolve) => (waiting = resolve))
  return {
    async draw(): Promise<void> {
      const done = nextDrawn()
      shown.value = true
      await done
    },
    async zoom(from: number, to: number): Promise<void> {
      const done = nextDrawn()
      void charts.value?.zoom({ from, to })
      await done
    },
    async clear(): Promise<void> {
      shown.value = false
      await nextTick()
    },
    drawn: () => drawn,
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}
const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))

async function measure(setup: Setup): Promise<{ readonly draw: Measured; readonly zoom: Measured }> {
  for (const [name, value] of Object.entries(cssVariables('dark'))) {
    document.documentElement.style.setProperty(name, value)
  }
  const of = (key: keyof RawSeries): Float64Array => Float64Array.from(setup.raw[key])
  const raw: RawSeries = {
    ...{ times: of('times'), cpu: of('cpu'), memory: of('memory'), diskRead: of('diskRead') },
    ...{ diskWrite: of('diskWrite'), networkIn: of('networkIn'), networkOut: of('networkOut') },
  }
  const ours = mountCharts(setup)
  const width = place('app').clientWidth
  const theirs = otherCharts(place('other'), raw, width, height)
  const draw = { ours: new Array<number>(), theirs: new Array<number>() }
  const zoom = { ours: new Array<number>(), theirs: new Array<number>() }
  const first = raw.times[0] ?? 0
  const last = raw.times.at(-1) ?? 0

  // The main process reads the service once; from then on it has the raw arrays.
  await bridge.call('metrics.read', {
    ...{
      account: setup.account,
      machine: setup.machine,
      period: '30d',
      range: null,
      width: 100,
      fresh: false,
    },
  })
  for (let round = -3; round < setup.rounds; round += 1) {
    const measured = round >= 0
    const took = { ours: 0, theirs: 0 }
    await frame()
    took.ours = await timed(ours.draw)
    await frame()
    took.theirs = await timed(theirs.draw)
    if (theirs.draws() < 4) throw new Error('uPlot drew nothing')
    if (measured) {
      draw.ours.push(took.ours)
      draw.theirs.push(took.theirs)
    }
    // From thirty days to an hour as the wheel does it, around a place that differs from round to round.
    const middle = first + (last - first) * (0.2 + 0.6 * ((round + 3) / (setup.rounds + 3)))
    let [from, to] = [first, last]
    while (to - from > 3_600) {
      from = middle - (middle - from) * 0.8
      to = middle + (to - middle) * 0.8
      const range = { from, to }
      await frame()
      took.ours = await timed(() => ours.zoom(range.from, range.to))
      await frame()
      took.theirs = await timed(() => theirs.zoom(range.from, range.to))
      if (theirs.draws() < 4) throw new Error('uPlot zoomed nothing')
      if (measured) {
        zoom.ours.push(took.ours)
        zoom.theirs.push(took.theirs)
      }
    }
    await ours.clear()
    theirs.clear()
  }
  return { draw, zoom }
}

allowOwnStyles()
Object.assign(window, { measure })
