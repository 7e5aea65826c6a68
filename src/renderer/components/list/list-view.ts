import { computed, type Ref, watch } from 'vue'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { ViewValue } from '#shared/bridge/list-view'
import { useListViews } from '../../stores/list-views'
import type { Sorting } from '../rows'

/**
 * The remembered view of a list for the selected account. `onRestore` listeners run when the account changes, and when
 * stored views load late.
 */
export function useListView(list: string, account: Readonly<Ref<AccountId | null>>) {
  const views = useListViews()
  const restores: (() => void)[] = []
  let isRestoring = false

  const read = <Value>(field: string, schema: z.ZodType<Value>): Value | undefined =>
    account.value === null ? undefined : schema.safeParse(views.read(account.value, list, field)).data
  function write(field: string, value: ViewValue): void {
    if (account.value !== null && !isRestoring) views.change(account.value, list, field, value)
  }
  function restore(): void {
    isRestoring = true
    restores.forEach((act) => act())
    isRestoring = false
  }
  // At once: a change must belong to the account whose value it replaces.
  watch([account, () => account.value !== null && views.stored.get(account.value)], restore, {
    flush: 'sync',
  })

  /** Runs `act` now and whenever another view applies. */
  function onRestore(act: () => void): void {
    restores.push(act)
    act()
  }
  /** Restores the value of a ref now and for each account, and stores its changes. Absent values are as now. */
  function remember<Value extends ViewValue>(
    field: string,
    value: Ref<Value>,
    schema: z.ZodType<Value>,
  ): void {
    const initial = value.value
    onRestore(() => (value.value = read(field, schema) ?? initial))
    watch(value, (now) => write(field, now), { flush: 'sync' })
  }
  return { read, write, remember, onRestore }
}
export type View = ReturnType<typeof useListView>

/** Remembers the sorting of a list; a column that no longer exists is ignored. */
export function rememberSorting<Key extends string>(
  view: View,
  field: string,
  sorting: Ref<Sorting<Key>>,
  columns: () => readonly { readonly key: Key }[],
): void {
  const stored = computed({
    get: () => ({ key: String(sorting.value.key), descending: sorting.value.descending }),
    set({ key, descending }) {
      const column = columns().find((candidate) => candidate.key === key)
      if (column) sorting.value = { key: column.key, descending }
    },
  })
  view.remember(field, stored, z.object({ key: z.string(), descending: z.boolean() }))
}

/** Remembers the scroll position of a list, in pixels. `grid` is the label of a grid: a page may have several. */
export const rememberScroll = (view: View) => ({
  top: (grid: string): number => {
    const stored = view.read('scroll', z.object({ grid: z.string(), top: z.number() }))
    return stored?.grid === grid ? stored.top : 0
  },
  scrolled: (grid: string, top: number): void => view.write('scroll', { grid, top }),
})
