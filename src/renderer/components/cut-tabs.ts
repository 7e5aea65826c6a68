import { onBeforeUnmount, onMounted, type Ref, ref, watch } from 'vue'

/**
 * A row of tabs that may have too little room: the chosen one is scrolled into view, and `isCut` says that a menu has
 * to list them all. `changes`: what alters the row besides its width.
 */
export function useCutTabs(row: Readonly<Ref<HTMLElement | null>>, changes: () => unknown) {
  const isCut = ref(false)
  function look(): void {
    isCut.value = row.value !== null && row.value.scrollWidth > row.value.clientWidth
    row.value?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  watch(changes, look, { flush: 'post' })
  const observer = new ResizeObserver(look)
  onMounted(() => {
    if (row.value) observer.observe(row.value)
  })
  onBeforeUnmount(() => observer.disconnect())
  return isCut
}
