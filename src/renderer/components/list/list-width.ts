import { onMounted, onUnmounted, type Ref, ref } from 'vue'

/** Space left and right of the rows in pixels, as in ListPage.vue and EntriesView.vue. */
const sides = 40

/** Returns the width of a list without its panel, in pixels; `page` surrounds both. */
export function useListWidth(page: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<number>> {
  const width = ref(0)
  const measure = () => (width.value = Math.max(0, (page.value?.clientWidth ?? 0) - sides))
  const observer = new ResizeObserver(measure)
  onMounted(() => {
    measure()
    if (page.value) observer.observe(page.value)
  })
  onUnmounted(() => observer.disconnect())
  return width
}
