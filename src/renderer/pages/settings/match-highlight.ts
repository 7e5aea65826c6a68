import { onBeforeUnmount, onMounted, type Ref, watch } from 'vue'
import { matchRanges, wordsOf } from './settings-search'

const highlightName = 'settings-match'

/** Marks the words of the query in the text of the page, without changing its elements. */
export function useMatchHighlight(page: Readonly<Ref<HTMLElement | null>>, query: () => string): void {
  function mark(): void {
    const words = wordsOf(query())
    const ranges = words.length === 0 || !page.value ? [] : matchRanges(page.value, words)
    if (ranges.length === 0) CSS.highlights.delete(highlightName)
    else CSS.highlights.set(highlightName, new Highlight(...ranges))
  }
  // Text that loads later is marked too.
  const observer = new MutationObserver(() => {
    if (query() !== '') mark()
  })
  onMounted(() => {
    if (page.value)
      observer.observe(page.value, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['hidden', 'style'],
      })
  })
  watch(query, mark, { flush: 'post' })
  onBeforeUnmount(() => {
    observer.disconnect()
    if (query() !== '') CSS.highlights.delete(highlightName)
  })
}
