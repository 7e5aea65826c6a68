import { computed, onMounted, onUnmounted, ref, type Ref, shallowRef } from 'vue'

/** How far a list of rows of one height is scrolled. All in pixels. */
export interface View {
  readonly count: number
  readonly rowHeight: number
  readonly scrollTop: number
  /** Of the scrolled element, with what sticks to its top. */
  readonly height: number
  /** What sticks to the top and covers rows. */
  readonly head: number
  /** Rows drawn beyond either end of what is in view. */
  readonly beyond: number
}

/** So many rows are there before they are scrolled to, once the list rests. */
const rowsBeyond = 8
/** Milliseconds without a leap after which a list rests. */
const rest = 100

/** The indexes of the rows to be drawn, the last one excluded. Pure. */
export function rowsToDraw({
  count,
  rowHeight,
  scrollTop,
  height,
  head,
  beyond,
}: View): readonly [number, number] {
  const seen = Math.max(0, height - head)
  // A list that has become shorter is scrolled back by the browser, a frame later.
  const top = Math.min(scrollTop, Math.max(0, count * rowHeight - seen))
  const first = Math.floor(top / rowHeight)
  const last = Math.ceil((top + seen) / rowHeight)
  return [
    Math.min(Math.max(0, first - beyond), count),
    height === 0 ? 0 : Math.min(Math.max(0, last + beyond), count),
  ]
}

/** Where the list must be scrolled to for a row to be seen; `room` is what lies over its end. Pure. */
export function scrollTopFor(index: number, view: Omit<View, 'count' | 'beyond'>, room: number): number {
  const { rowHeight, scrollTop, height, head } = view
  const top = index * rowHeight
  const seen = height - head - room
  if (top < scrollTop) return top
  return top + rowHeight > scrollTop + seen ? top + rowHeight - seen : scrollTop
}

const isOutside = (index: number, [first, last]: readonly [number, number]): boolean =>
  index < first || index >= last

/**
 * Draws of many rows only those in view and some beyond them. Where they are is reckoned: every row is of the same height.
 * `drawn` are their indexes.
 */
export function useVisibleRows(
  scroller: Readonly<Ref<HTMLElement | null>>,
  { count, rowHeight, head }: { count(): number; readonly rowHeight: number; readonly head: number },
) {
  const scrollTop = ref(0)
  const height = ref(0)
  const width = ref(0)
  const view = () => ({ rowHeight, head, scrollTop: scrollTop.value, height: height.value })
  const rowsNow = (beyond: number) => rowsToDraw({ ...view(), count: count(), beyond })
  /**
   * While all in view is new at each step, as where somebody drags the scroll bar: the rows that were beyond it when that
   * began. They stay as they are, so that their elements are there once the list rests.
   */
  const spare = shallowRef<readonly number[] | null>(null)
  const drawn = computed<readonly number[]>((before) => {
    const range = rowsNow(spare.value ? 0 : rowsBeyond)
    const [first, last] = range
    const others = spare.value?.filter((index) => index < count() && isOutside(index, range)) ?? []
    const now = [...Array.from({ length: last - first }, (_, at) => first + at), ...others]
    // The same rows are the same array, so that what scrolls by less than a row is not drawn anew.
    return before?.length === now.length && before.every((index, at) => index === now[at]) ? before : now
  })

  let resting: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    const top = scroller.value?.scrollTop ?? 0
    const leaps = Math.abs(top - scrollTop.value) >= height.value - head
    clearTimeout(resting)
    if (leaps) {
      const inView = rowsNow(0)
      spare.value ??= drawn.value.filter((index) => isOutside(index, inView))
      resting = setTimeout(() => (spare.value = null), rest)
    } else spare.value = null
    scrollTop.value = top
  }
  const observer = new ResizeObserver(([entry]) => {
    if (!entry || !scroller.value) return
    width.value = entry.contentRect.width
    height.value = scroller.value.clientHeight
  })
  onMounted(() => {
    const element = scroller.value
    if (!element) return
    height.value = element.clientHeight
    observer.observe(element)
    element.addEventListener('scroll', follow, { passive: true })
  })
  onUnmounted(() => {
    observer.disconnect()
    clearTimeout(resting)
  })

  function scrollTo(index: number, room: number): void {
    if (!scroller.value) return
    scroller.value.scrollTop = scrollTopFor(index, view(), room)
    follow()
  }
  return { drawn, width, scrollTo }
}
