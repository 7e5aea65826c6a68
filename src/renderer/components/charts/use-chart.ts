import { nextTick, onMounted, onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue'
import type * as Engine from './engine'
import type { Chart } from './engine'
import { loadEngine } from './load-engine'

export interface OwnChart {
  /** Null until echarts is loaded. */
  readonly chart: Readonly<ShallowRef<Chart | null>>
  /** Pixels; 0 until it is known. */
  readonly width: Readonly<Ref<number>>
}

/** Charts out of use, with the elements they draw into: creating one takes longer than drawing. */
const spares: { readonly host: HTMLElement; readonly chart: Chart }[] = []
const mostSpares = 2

function makeChart(place: HTMLElement, engine: typeof Engine) {
  const host = document.createElement('div')
  host.style.width = '100%'
  host.style.height = '100%'
  place.append(host)
  return { host, chart: engine.createChart(host) }
}

export interface ChartUse {
  /** The chart may be one that was shown before, in the size that it had there, and is kept for the next one. */
  readonly reused?: boolean
  /** How wide `place` will be in pixels, where that is known: to ask it lays out the page once more. */
  readonly initialWidth?: number
}

/** An echarts chart in `place`, as large as that. `ready` is called once, when all else is set up. */
export function useChart(
  place: Readonly<Ref<HTMLElement | null>>,
  ready: (chart: Chart, engine: typeof Engine) => void,
  { reused = false, initialWidth = 0 }: ChartUse = {},
): OwnChart {
  const chart = shallowRef<Chart | null>(null)
  const width = ref(initialWidth)
  let own: { readonly host: HTMLElement; readonly chart: Chart } | undefined
  let gone = false

  function fit(): void {
    const next = Math.round(place.value?.clientWidth ?? 0)
    if (next > 0) width.value = next
  }
  function resize(): void {
    const { clientWidth = 0, clientHeight = 0 } = place.value ?? {}
    const made = chart.value
    if (made && clientWidth > 0 && (made.getWidth() !== clientWidth || made.getHeight() !== clientHeight))
      made.resize({ width: clientWidth, height: clientHeight })
  }
  const observer = new ResizeObserver(() => {
    fit()
    resize()
  })
  onMounted(async () => {
    if (width.value === 0) fit()
    const engine = await loadEngine()
    // What depends on the width has been computed by now.
    await nextTick()
    if (gone || !place.value) return
    const spare = reused ? spares.pop() : undefined
    if (spare) place.value.append(spare.host)
    own = spare ?? makeChart(place.value, engine)
    chart.value = own.chart
    ready(own.chart, engine)
    observer.observe(place.value)
  })
  onUnmounted(() => {
    gone = true
    observer.disconnect()
    if (!own) return
    if (reused && spares.length < mostSpares) {
      own.host.remove()
      spares.push(own)
    } else own.chart.dispose()
  })
  return { chart, width }
}
