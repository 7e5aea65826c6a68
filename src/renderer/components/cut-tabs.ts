import { onBeforeUnmount, onMounted, type Ref, ref, watch } from 'vue'

/** Scrolls the selected tab of a row into view; returns whether the row is cut. `changes` returns what alters the row. */
export function useCutTabs(row: Readonly<Ref<HTMLElement | null>>, changes: () => unknown) {
  const isCut = ref(false)
  function measure(): void {
    isCut.value = row.value !== null && row.value.scrollWidth > row.value.clientWidth
    row.value?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  watch(changes, measure, { flush: 'post' })
  const observer = new ResizeObserver(measure)
  onMounted(() => {
    if (row.value) observer.observe(row.value)
  })
  onBeforeUnmount(() => observer.disconnect())
  return isCut
}
