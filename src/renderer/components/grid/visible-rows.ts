import { computed, onMounted, onUnmounted, ref, type Ref, shallowRef } from 'vue'

/** Scroll state of a list whose rows have one height. Lengths in pixels. */
export interface View {
  readonly count: number
  readonly rowHeight: number
  readonly scrollTop: number
  /** Height of the scrolled element, including its sticky head. */
  readonly height: number
  /** Height of the sticky head, which covers rows. */
  readonly head: number
  readonly beyond: number
}

/** Extra rows at each end of the view. */
const rowsBeyond = 8
/** Pause after a jump before the extra rows are drawn. */
const restMs = 100

/** Returns the range of indexes to draw, end excluded. Pure. */
export function rowsToDraw({
  count,
  rowHeight,
  scrollTop,
  height,
  head,
  beyond,
}: View): readonly [number, number] {
  const visibleHeight = Math.max(0, height - head)
  // The browser scrolls a list that became shorter one frame later.
  const top = Math.min(scrollTop, Math.max(0, count * rowHeight - visibleHeight))
  const first = Math.floor(top / rowHeight)
  const last = Math.ceil((top + visibleHeight) / rowHeight)
  return [
    Math.min(Math.max(0, first - beyond), count),
    height === 0 ? 0 : Math.min(Math.max(0, last + beyond), count),
  ]
}

/** Returns the scroll position that makes a row visible; `room` is the height of what covers the list's end. Pure. */
export function scrollTopFor(index: number, view: Omit<View, 'count' | 'beyond'>, room: number): number {
  const { rowHeight, scrollTop, height, head } = view
  const top = index * rowHeight
  const visibleHeight = height - head - room
  if (top < scrollTop) return top
  return top + rowHeight > scrollTop + visibleHeight ? top + rowHeight - visibleHeight : scrollTop
}

const isOutside = (index: number, [first, last]: readonly [number, number]): boolean =>
  index < first || index >= last

/** Virtualises a list whose rows have one height; `drawn` holds the indexes of the rows to render. Widths in pixels. */
export function useVisibleRows(
  scroller: Readonly<Ref<HTMLElement | null>>,
  {
    count,
    rowHeight,
    head,
    startTop,
    scrolled,
  }: {
    count(): number
    readonly rowHeight: number
    readonly head: number
    startTop(): number
    scrolled(top: number): void
  },
) {
  const scrollTop = ref(0)
  const height = ref(0)
  const width = ref(0)
  const barWidth = ref(0)
  const view = () => ({ rowHeight, head, scrollTop: scrollTop.value, height: height.value })
  const rowsNow = (beyond: number) => rowsToDraw({ ...view(), count: count(), beyond })
  /**
   * Extra rows at the moment when a jump began, such as by dragging the scroll bar. They stay rendered during the jump,
   * so that their elements can be reused after it.
   */
  const spare = shallowRef<readonly number[] | null>(null)
  const drawn = computed<readonly number[]>((before) => {
    const range = rowsNow(spare.value ? 0 : rowsBeyond)
    const [first, last] = range
    const spareRows = spare.value?.filter((index) => index < count() && isOutside(index, range)) ?? []
    const now = [...Array.from({ length: last - first }, (_, at) => first + at), ...spareRows]
    // Equal rows keep the array's identity, so that scrolling by less than a row renders nothing.
    return before?.length === now.length && before.every((index, at) => index === now[at]) ? before : now
  })

  let resting: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    const top = scroller.value?.scrollTop ?? 0
    const jumps = Math.abs(top - scrollTop.value) >= height.value - head
    clearTimeout(resting)
    if (jumps) {
      const inView = rowsNow(0)
      spare.value ??= drawn.value.filter((index) => isOutside(index, inView))
      resting = setTimeout(() => (spare.value = null), restMs)
    } else spare.value = null
    if (top !== scrollTop.value) scrolled(top)
    scrollTop.value = top
  }
  const observer = new ResizeObserver(([entry]) => {
    if (!entry || !scroller.value) return
    width.value = entry.contentRect.width
    barWidth.value = scroller.value.offsetWidth - entry.contentRect.width
    height.value = scroller.value.clientHeight
  })
  onMounted(() => {
    const element = scroller.value
    if (!element) return
    element.scrollTop = startTop()
    scrollTop.value = element.scrollTop
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
  return { drawn, width, barWidth, scrollTo }
}
