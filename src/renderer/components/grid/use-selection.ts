import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import { nothingChosen, pruned, type Selection } from './selection'

/**
 * Selection in the account's list. It contains only `shown` rows, so that no action affects a hidden row. `released`:
 * number of rows that a filter deselected since the user's last selection. `isKnown`: the list was read; until then, a
 * selection of an earlier visit waits for its rows.
 */
export function useSelection<Row extends { readonly id: string }>(
  shown: Readonly<Ref<readonly Row[]>>,
  /** Returns undefined if the row no longer exists, so that no filter hid it. */
  rowOf: (id: string) => Row | undefined,
  isKnown: Readonly<Ref<boolean>>,
) {
  const selection = shallowRef<Selection>(nothingChosen)
  const released = ref(0)
  const chosen = computed(() => {
    const ids = selection.value.chosen
    return ids.size === 0 ? [] : shown.value.filter(({ id }) => ids.has(id))
  })
  function select(next: Selection): void {
    selection.value = next
    released.value = 0
  }
  const clear = (): void => select(nothingChosen)
  const ids = computed({
    get: () => [...selection.value.chosen],
    set: (chosenIds) => select({ chosen: new Set(chosenIds), anchor: null }),
  })
  watch([shown, isKnown], ([rows, known]) => {
    const { value: before } = selection
    if (before.chosen.size === 0 || !known) return
    const present = new Set(rows.map(({ id }) => id))
    const remaining = pruned(before, (id) => present.has(id))
    if (remaining === before) return
    released.value += [...before.chosen].filter((id) => !present.has(id) && rowOf(id) !== undefined).length
    selection.value = remaining
  })
  return { selection, ids, chosen, released, clear, select }
}
