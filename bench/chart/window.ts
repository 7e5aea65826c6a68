import { createPinia } from 'pinia'
import { createApp, h, nextTick, ref, shallowRef } from 'vue'
import { NConfigProvider, NMessageProvider } from 'naive-ui'
import { bridge } from '../../src/renderer/platform/bridge'
import '../../src/renderer/platform/base.css'
import { laterMessages } from '../../src/renderer/platform/i18n'
import { allowOwnStyles } from '../../src/renderer/platform/style-nonce'
import { cssVariables } from '../../src/renderer/platform/theme'
import MetricCharts from '../../src/renderer/features/metrics/MetricCharts.vue'
import { otherCharts, type RawSeries } from './other-charts'

/** Input of bench/chart.ts: the folder of the measurements, and all of them. */
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

/** Charts opened with all points, drawn again into open charts, and one zoom step. */
export interface Results {
  readonly draw: Measured
  readonly again: Measured
  readonly zoom: Measured
}

const height = 116
const place = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element ${id}`)
  return element
}

/** Returns the application's own charts in the page, visible or not. */
function mountCharts({ account, machine }: Setup) {
  const shown = ref(false)
  const charts = shallowRef<{
    load(): Promise<void>
    zoom(range: { from: number; to: number } | null): Promise<void>
  } | null>(null)
  let waiting: ((at: number) => void) | undefined
  const drawn = (): void => {
    waiting?.(performance.now())
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
                heading: 'h2',
                onDrawn: drawn,
              })
            : null,
        ),
      ),
  }
  createApp(root).use(createPinia()).mount(place('app'))
  const nextDrawn = (): Promise<number> => new Promise((resolve) => (waiting = resolve))
  return {
    async open(): Promise<number> {
      const done = nextDrawn()
      shown.value = true
      return done
    },
    async draw(): Promise<number> {
      const done = nextDrawn()
      void charts.value?.load()
      return done
    },
    async zoom(from: number, to: number): Promise<number> {
      const done = nextDrawn()
      void charts.value?.zoom({ from, to })
      return done
    },
    async clear(): Promise<void> {
      shown.value = false
      await nextTick()
    },
  }
}

/** Returns the milliseconds from the call to the time that `act` returns, when it has drawn. */
async function timed(act: () => Promise<number>): Promise<number> {
  const started = performance.now()
  return (await act()) - started
}
const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))
/** Waits until earlier work is laid out and painted, so that neither side pays for it. */
async function settled(): Promise<void> {
  await frame()
  await frame()
}

/** Rounds that warm up both sides and do not count. */
const warmUp = 10

async function measure(setup: Setup): Promise<Results> {
  for (const [name, value] of Object.entries(cssVariables('dark'))) {
    document.documentElement.style.setProperty(name, value)
  }
  const of = (key: keyof RawSeries): Float64Array => Float64Array.from(setup.raw[key])
  const raw: RawSeries = {
    times: of('times'),
    cpu: of('cpu'),
    memory: of('memory'),
    diskRead: of('diskRead'),
    diskWrite: of('diskWrite'),
    networkIn: of('networkIn'),
    networkOut: of('networkOut'),
  }
  await laterMessages()
  const ours = mountCharts(setup)
  const width = place('app').clientWidth
  const theirs = otherCharts(place('other'), raw, width, height)
  const draw = { ours: new Array<number>(), theirs: new Array<number>() }
  const again = { ours: new Array<number>(), theirs: new Array<number>() }
  const zoom = { ours: new Array<number>(), theirs: new Array<number>() }
  const first = raw.times[0] ?? 0
  const last = raw.times.at(-1) ?? 0

  // The main process has the raw arrays in memory, and requests nothing from the service within a minute.
  const warm = () =>
    bridge.call('metrics.read', {
      account: setup.account,
      machine: setup.machine,
      period: '30d',
      range: null,
      width: 100,
      fresh: false,
    })
  const compare = async (
    into: { readonly ours: number[]; readonly theirs: number[] } | null,
    one: () => Promise<number>,
    other: () => Promise<number>,
  ): Promise<void> => {
    await settled()
    const mine = await timed(one)
    await settled()
    const foreign = await timed(other)
    if (theirs.draws() < 4) throw new Error('uPlot drew nothing')
    into?.ours.push(mine)
    into?.theirs.push(foreign)
  }
  for (let round = -warmUp; round < setup.rounds; round += 1) {
    const measured = round >= 0
    await warm()
    await compare(measured ? draw : null, ours.open, theirs.open)
    await compare(measured ? again : null, ours.draw, theirs.draw)
    // From thirty days to an hour like the wheel, around a point that differs from round to round.
    const middle = first + (last - first) * (0.2 + 0.6 * ((round + warmUp) / (setup.rounds + warmUp)))
    let [from, to] = [first, last]
    while (to - from > 3_600) {
      from = middle - (middle - from) * 0.8
      to = middle + (to - middle) * 0.8
      const range = { from, to }
      await compare(
        measured ? zoom : null,
        () => ours.zoom(range.from, range.to),
        () => theirs.zoom(range.from, range.to),
      )
    }
    await ours.clear()
    theirs.clear()
  }
  return { draw, again, zoom }
}

allowOwnStyles()
Object.assign(window, { measure })
