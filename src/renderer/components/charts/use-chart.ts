import { nextTick, onMounted, onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue'
import type * as Engine from './engine'
import type { Chart } from './engine'
import { loadEngine } from './load-engine'

interface OwnChart {
  readonly chart: Readonly<ShallowRef<Chart | null>>
  readonly width: Readonly<Ref<number>>
}

/** Unused charts with their elements, kept for reuse: creating a chart takes longer than drawing one. */
const spares: { readonly host: HTMLElement; readonly chart: Chart }[] = []
const maxSpares = 2

function makeChart(place: HTMLElement, engine: typeof Engine) {
  const host = document.createElement('div')
  host.style.width = '100%'
  host.style.height = '100%'
  place.append(host)
  return { host, chart: engine.createChart(host) }
}

interface ChartUse {
  /** Takes a spare chart, which still has its old size, and returns it at the end. */
  readonly reused?: boolean
  /** Width of `place` in pixels, if known: measuring it costs one layout. */
  readonly initialWidth?: number
}

/** Creates an echarts chart that fills `place`. `ready` is called once, after the set-up. */
export function useChart(
  place: Readonly<Ref<HTMLElement | null>>,
  ready: (chart: Chart, engine: typeof Engine) => void,
  { reused = false, initialWidth = 0 }: ChartUse = {},
): OwnChart {
  const chart = shallowRef<Chart | null>(null)
  const width = ref(initialWidth)
  let own: { readonly host: HTMLElement; readonly chart: Chart } | undefined
  let isUnmounted = false

  function fit(): void {
    const next = Math.round(place.value?.clientWidth ?? 0)
    if (next > 0) width.value = next
  }
  function resize(): void {
    const { clientWidth = 0, clientHeight = 0 } = place.value ?? {}
    if (!chart.value || clientWidth === 0) return
    if (chart.value.getWidth() !== clientWidth || chart.value.getHeight() !== clientHeight)
      chart.value.resize({ width: clientWidth, height: clientHeight })
  }
  const observer = new ResizeObserver(() => {
    fit()
    resize()
  })
  onMounted(async () => {
    if (width.value === 0) fit()
    const engine = await loadEngine()
    // Waits until computed values follow the width.
    await nextTick()
    if (isUnmounted || !place.value) return
    const spare = reused ? spares.pop() : undefined
    if (spare) place.value.append(spare.host)
    own = spare ?? makeChart(place.value, engine)
    chart.value = own.chart
    ready(own.chart, engine)
    observer.observe(place.value)
  })
  onUnmounted(() => {
    isUnmounted = true
    observer.disconnect()
    if (!own) return
    if (reused && spares.length < maxSpares) {
      own.host.remove()
      spares.push(own)
    } else own.chart.dispose()
  })
  return { chart, width }
}
