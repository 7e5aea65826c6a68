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

/** An echarts chart in `place`, as large as that. `ready` is told once, with everything else in its place. */
export function useChart(
  place: Readonly<Ref<HTMLElement | null>>,
  ready: (chart: Chart, engine: typeof Engine) => void,
): OwnChart {
  const chart = shallowRef<Chart | null>(null)
  const width = ref(0)
  let gone = false

  function fit(): void {
    const next = Math.round(place.value?.clientWidth ?? 0)
    if (next > 0) width.value = next
  }
  const observer = new ResizeObserver(() => {
    fit()
    const { clientWidth = 0, clientHeight = 0 } = place.value ?? {}
    const made = chart.value
    if (made && (made.getWidth() !== clientWidth || made.getHeight() !== clientHeight)) made.resize()
  })
  onMounted(async () => {
    fit()
    const engine = await loadEngine()
    // What depends on the width has been reckoned meanwhile.
    await nextTick()
    if (gone || !place.value) return
    chart.value = engine.createChart(place.value)
    ready(chart.value, engine)
    observer.observe(place.value)
  })
  onUnmounted(() => {
    gone = true
    observer.disconnect()
    chart.value?.dispose()
  })
  return { chart, width }
}
