import { computed, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { nothingChosen, pruned, type Selection } from './selection'

/** Which rows of the account's list are chosen. Those that are gone are chosen no longer. */
export function useSelection<Row>(
  account: Readonly<Ref<AccountId | null>>,
  rowOf: (id: string) => Row | undefined,
) {
  const selection = shallowRef<Selection>(nothingChosen)
  const chosen = computed(() => [...selection.value.chosen].map(rowOf).filter((row) => row !== undefined))
  const clear = () => (selection.value = nothingChosen)
  watch(account, clear)
  watch(chosen, () => {
    selection.value = pruned(selection.value, (id) => rowOf(id) !== undefined)
  })
  const select = (next: Selection) => (selection.value = next)
  return { selection, chosen, clear, select }
}
