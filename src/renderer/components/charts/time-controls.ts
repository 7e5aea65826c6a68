import { type Ref, shallowRef } from 'vue'
import type { TimeRange } from './time-line'
import { panned, zoomedAround } from './time-range'

/** Shortest drag that selects a range, in pixels. */
const minDragPixels = 4

/** Handles the pointer and the keyboard on a chart over time. `plot`: place of the lines in the element, in pixels. */
export function useTimeControls(deps: {
  range(): TimeRange
  plot(): { readonly left: number; readonly width: number }
  readonly cursor: Ref<number | null>
  /** Null resets the zoom. */
  zoom(range: TimeRange | null): void
}) {
  const { cursor } = deps
  /** Start and end of the range that is being selected, in pixels. */
  const dragged = shallowRef<readonly [number, number] | null>(null)

  const within = (x: number): number => {
    const { left, width } = deps.plot()
    return Math.min(left + width, Math.max(left, x))
  }
  const xOf = (event: MouseEvent): number =>
    event.currentTarget instanceof HTMLElement
      ? within(event.clientX - event.currentTarget.getBoundingClientRect().left)
      : 0
  const timeAt = (x: number): number => {
    const { from, to } = deps.range()
    const { left, width } = deps.plot()
    return from + ((x - left) / width) * (to - from)
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    const x = xOf(event)
    dragged.value = [x, x]
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.setPointerCapture(event.pointerId)
  }
  function move(event: PointerEvent): void {
    const x = xOf(event)
    cursor.value = timeAt(x)
    if (dragged.value) dragged.value = [dragged.value[0], x]
  }
  function up(): void {
    const drag = dragged.value
    dragged.value = null
    if (!drag || Math.abs(drag[1] - drag[0]) < minDragPixels) return
    deps.zoom({ from: timeAt(Math.min(...drag)), to: timeAt(Math.max(...drag)) })
    // After the zoom the pointer is at another time.
    cursor.value = null
  }
  function cancel(): void {
    dragged.value = null
  }
  function leave(): void {
    if (!dragged.value) cursor.value = null
  }
  function wheel(event: WheelEvent): void {
    const range = deps.range()
    if (event.ctrlKey || event.metaKey) {
      deps.zoom(zoomedAround(range, timeAt(xOf(event)), event.deltaY > 0 ? 1.25 : 0.8))
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      deps.zoom(panned(range, ((event.deltaX || event.deltaY) / deps.plot().width) * (range.to - range.from)))
    } else return
    event.preventDefault()
  }
  function keys(event: KeyboardEvent): void {
    const range = deps.range()
    const length = range.to - range.from
    const middle = cursor.value ?? (range.from + range.to) / 2
    const step = length / 100
    const inRange = (at: number): number => Math.min(range.to, Math.max(range.from, at))
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key
    const acts: Readonly<Record<string, () => void>> = {
      ArrowRight: () => (cursor.value = inRange(cursor.value === null ? range.from : cursor.value + step)),
      ArrowLeft: () => (cursor.value = inRange(cursor.value === null ? range.to : cursor.value - step)),
      Home: () => (cursor.value = range.from),
      End: () => (cursor.value = range.to),
      'Shift+ArrowRight': () => deps.zoom(panned(range, length / 10)),
      'Shift+ArrowLeft': () => deps.zoom(panned(range, -length / 10)),
      '+': () => deps.zoom(zoomedAround(range, middle, 0.5)),
      '=': () => deps.zoom(zoomedAround(range, middle, 0.5)),
      '-': () => deps.zoom(zoomedAround(range, middle, 2)),
      '0': () => deps.zoom(null),
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[key]
    if (act) act()
    else if (event.key === 'Escape' && dragged.value) cancel()
    else if (event.key === 'Escape' && cursor.value !== null) cursor.value = null
    else return
    event.preventDefault()
  }
  return { dragged, down, move, up, cancel, leave, wheel, keys }
}
