import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { nothingChosen, pruned, type Selection } from './selection'

/**
 * Selection in the account's list. It contains only `shown` rows, so that no action affects a hidden row. `released`:
 * number of rows that a filter deselected since the user's last selection.
 */
export function useSelection<Row extends { readonly id: string }>(
  account: Readonly<Ref<AccountId | null>>,
  shown: Readonly<Ref<readonly Row[]>>,
  /** Returns undefined if the row no longer exists, so that no filter hid it. */
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
    const remaining = pruned(before, (id) => ids.has(id))
    if (remaining === before) return
    released.value += [...before.chosen].filter((id) => !ids.has(id) && rowOf(id) !== undefined).length
    selection.value = remaining
  })
  return { selection, chosen, released, clear, select }
}
