import { computed, onMounted, onUnmounted, ref, type Ref } from 'vue'

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

/** Draws of many rows only those in view. Where they are is reckoned: every row is of the same height. */
export function useVisibleRows(
  scroller: Readonly<Ref<HTMLElement | null>>,
  { count, rowHeight, head }: { count(): number; readonly rowHeight: number; readonly head: number },
) {
  const scrollTop = ref(0)
  const height = ref(0)
  const width = ref(0)
  const beyond = ref(rowsBeyond)
  const view = () => ({ rowHeight, head, scrollTop: scrollTop.value, height: height.value })
  const range = computed<readonly [number, number]>((before) => {
    const now = rowsToDraw({ ...view(), count: count(), beyond: beyond.value })
    // The same range is the same array, so that what scrolls by less than a row is not drawn anew.
    return before && before[0] === now[0] && before[1] === now[1] ? before : now
  })

  let resting: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    const top = scroller.value?.scrollTop ?? 0
    // Where all in view is new, as while somebody drags the scroll bar, what is not in view waits.
    const leaps = Math.abs(top - scrollTop.value) >= height.value - head
    scrollTop.value = top
    clearTimeout(resting)
    beyond.value = leaps ? 0 : rowsBeyond
    if (leaps) resting = setTimeout(() => (beyond.value = rowsBeyond), rest)
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
  return { range, width, scrollTo }
}
