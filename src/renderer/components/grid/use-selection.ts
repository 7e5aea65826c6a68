import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { nothingChosen, pruned, type Selection } from './selection'

/**
 * Which rows of the account's list are selected: only ones that are shown, so that nothing is done to what is not seen.
 * `released`: how many were let go by a filter since the person last selected something.
 */
export function useSelection<Row extends { readonly id: string }>(
  account: Readonly<Ref<AccountId | null>>,
  shown: Readonly<Ref<readonly Row[]>>,
  /** Undefined: the row is gone, which is no filter's doing. */
  rowOf: (id: string) => Row | undefined,
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
  watch(account, clear)
  watch(shown, (rows) => {
    const { value: before } = selection
    if (before.chosen.size === 0) return
    const ids = new Set(rows.map(({ id }) => id))
    const left = pruned(before, (id) => ids.has(id))
    if (left === before) return
    released.value += [...before.chosen].filter((id) => !ids.has(id) && rowOf(id) !== undefined).length
    selection.value = left
  })
  return { selection, chosen, released, clear, select }
}
