import {
  computed,
  isRef,
  nextTick,
  type Ref,
  ref,
  shallowRef,
  toValue,
  watch,
  type MaybeRefOrGetter,
} from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { z } from 'zod'
import type { Failure } from '#shared/failure'
import { useAccounts } from '../../stores/accounts'
import { useNotes } from '../../stores/notes'
import { useSelection } from '../grid/use-selection'
import { rowFilter, type RowModel, sortedBy, sortedByColumn, type Sorting, withFound } from '../rows'
import { rememberScroll, rememberSorting, type View, useListView } from './list-view'

/** Content of a list's page: the list, or the reason why there is none. */
export type ListContent = 'list' | 'no-match' | 'signed-out' | 'failed' | 'loading' | 'empty'

/** Groups by which a list can be filtered. */
interface RowGroups<Row, Group extends string> {
  /** Returns the groups of a row. */
  of(row: Row): readonly Group[]
  /** Sorts the present groups for the choice. */
  order(present: readonly Group[]): readonly Group[]
}

/** Groups as choices with their counts; null chooses all rows. */
export interface GroupChoice<Group extends string> {
  readonly label: string
  readonly choices: readonly {
    readonly value: Group | null
    readonly label: string
    readonly count: number
  }[]
}

export interface ResourceListDeps<Row, Key extends string, Group extends string> {
  /** Name under which the view of the list is remembered. */
  readonly name: string
  readonly all: MaybeRefOrGetter<readonly Row[]>
  readonly find: (id: string) => Row | undefined
  /** Epoch seconds of the last reading, or null. */
  readonly asOf: MaybeRefOrGetter<number | null>
  readonly failure: MaybeRefOrGetter<Failure | null>
  readonly model: MaybeRefOrGetter<RowModel<Row, Key>>
  /** Columns by which the list can be sorted; absent: the page remembers its sorting. */
  readonly columns?: () => readonly { readonly key: Key }[]
  /** Initial sorting; a ref if the page uses it too. */
  readonly sorting: Sorting<Key> | Ref<Sorting<Key>>
  /** Route and parameter that name the row in the panel, and the panel's first tab; absent: no panel. */
  readonly panel?: { readonly route: string; readonly parameter: string; readonly tab?: string }
  readonly groups?: RowGroups<Row, Group>
  /** The typed text, if the page uses it too. */
  readonly filter?: Ref<string>
  /** Rows that the service found for the filter, beyond `all`. */
  readonly found?: Readonly<Ref<readonly Row[]>>
}

/** State of the selected account's list of one resource: filter, group, sorting, selection, panel and view. */
export function useResourceList<
  Row extends { readonly id: string },
  Key extends string,
  Group extends string = never,
>(deps: ResourceListDeps<Row, Key, Group>) {
  const accounts = useAccounts()
  const notes = useNotes()
  const account = computed(() => accounts.selected?.id ?? null)
  const view = useListView(deps.name, account)
  const all = computed(() => toValue(deps.all))
  const filter = deps.filter ?? ref('')
  view.remember('filter', filter, z.string())
  const sorting = isRef(deps.sorting) ? deps.sorting : shallowRef(deps.sorting)
  const sortBy = (key: Key) => (sorting.value = sortedByColumn(sorting.value, key))
  if (deps.columns) rememberSorting(view, 'sorting', sorting, deps.columns)
  const tab = ref(deps.panel?.tab ?? '')
  view.remember('tab', tab, z.string())

  const sorted = computed(() => sortedBy(all.value, toValue(deps.model), sorting.value))
  const matching = computed(() => {
    const { texts } = notes
    return rowFilter(sorted.value, toValue(deps.model), (id) => texts.get(id) ?? '')
  })
  const matched = computed(() => {
    const model = toValue(deps.model)
    const local = matching.value(filter.value)
    const merged = withFound(local, deps.found?.value ?? [], deps.find)
    return merged === local ? local : sortedBy(merged, model, sorting.value)
  })

  const presentGroups = computed(
    () => deps.groups?.order([...new Set(all.value.flatMap(deps.groups.of))]) ?? [],
  )
  const chosenGroup = ref<string | null>(null)
  view.remember('group', chosenGroup, z.string().nullable())
  /** Null: all groups. */
  const group = computed(() => presentGroups.value.find((present) => present === chosenGroup.value) ?? null)
  const setGroup = (name: Group | null): void => void (chosenGroup.value = name)
  // Deselects a group that lost its last row, and with it its button.
  watch(presentGroups, (present, before) => {
    const has = (names: readonly string[]) => names.some((name) => name === chosenGroup.value)
    if (all.value.length > 0 && has(before) && !has(present)) setGroup(null)
  })
  const rows = computed(() => {
    const { groups } = deps
    const selected = group.value
    return !groups || selected === null
      ? matched.value
      : matched.value.filter((row) => groups.of(row).includes(selected))
  })

  /** Groups of all rows, so that none disappears while the user types, with the counts of the matching rows. */
  const counts = computed(() => {
    const { groups } = deps
    if (!groups) return []
    const byGroup = new Map<Group, number>()
    for (const row of matched.value)
      for (const name of groups.of(row)) byGroup.set(name, (byGroup.get(name) ?? 0) + 1)
    return presentGroups.value.map((name) => ({ group: name, count: byGroup.get(name) ?? 0 }))
  })
  function showAll(): void {
    filter.value = ''
    setGroup(null)
  }

  // Ignores the failure of a signed-in account: it will not stay signed in, but its list is up to date.
  const failure = computed(() => {
    const selected = accounts.selected
    return toValue(deps.failure) ?? (selected?.state === 'signed-in' ? null : (selected?.failure ?? null))
  })
  const asOf = computed(() => toValue(deps.asOf))
  const shown = computed((): ListContent => {
    if (rows.value.length > 0) return 'list'
    if (all.value.length > 0) return 'no-match'
    if (accounts.selected?.state === 'signed-out') return 'signed-out'
    if (toValue(deps.failure)) return 'failed'
    return asOf.value === null ? 'loading' : 'empty'
  })

  const rowOf = (id: string): Row | undefined => deps.find(id) ?? rows.value.find((row) => row.id === id)
  const isKnown = computed(() => asOf.value !== null)
  const selection = useSelection(rows, rowOf, isKnown)
  view.remember('selected', selection.ids, z.array(z.string()))
  return {
    account,
    all,
    filter,
    group,
    sorting,
    sortBy,
    matched,
    rows,
    counts,
    showAll,
    failure,
    asOf,
    view: shown,
    rowOf,
    ...selection,
    ...usePanel(deps.panel, account, rowOf, isKnown, view),
    tab,
    scroll: rememberScroll(view),
    setFilter: (text: string) => (filter.value = text),
    setGroup,
    nameOf: (row: Row): string => toValue(deps.model).nameOf(row),
  }
}

export type ResourceList<
  Row extends { readonly id: string },
  Key extends string,
  Group extends string,
> = ReturnType<typeof useResourceList<Row, Key, Group>>

/** Opens and closes the panel of the row that the route names, and reopens the row of the last visit. */
function usePanel<Row>(
  panel: ResourceListDeps<never, never, never>['panel'],
  account: Readonly<Ref<string | null>>,
  rowOf: (id: string) => Row | undefined,
  isKnown: Readonly<Ref<boolean>>,
  view: View,
) {
  const route = useRoute()
  const router = useRouter()
  let grid: { focus(): void } | null = null
  const opened = computed(() => {
    const id = panel && route.name === panel.route ? route.params[panel.parameter] : null
    return typeof id === 'string' && id !== '' ? id : null
  })
  const openedRow = computed(() => (opened.value === null ? null : (rowOf(opened.value) ?? null)))
  const isPage = computed(() => opened.value !== null && route.params.view === 'page')
  function show(id: string, asPage = id === opened.value && isPage.value): void {
    if (panel)
      void router.replace({
        name: panel.route,
        params: { [panel.parameter]: id, view: asPage ? 'page' : '' },
      })
  }
  const open = (id: string) => show(id)
  /** Shows the panel of a row as a page, or next to the list again. */
  const showPage = (id: string, asPage: boolean) => show(id, asPage)
  /** Row of the last visit, until it is listed or another one is opened. */
  const remembered = ref<string | null>(null)
  view.onRestore(() => {
    remembered.value = openedRow.value === null ? (view.read('opened', z.string()) ?? null) : null
  })
  watch(
    opened,
    (id) => {
      if (route.name !== panel?.route) return
      if (id !== null) remembered.value = null
      if (remembered.value === null) view.write('opened', id)
    },
    { immediate: opened.value !== null },
  )
  const isListed = computed(() => remembered.value !== null && rowOf(remembered.value) !== undefined)
  watch(
    [remembered, opened, isListed, isKnown],
    ([id, current]) => {
      if (id === null || current !== null || route.name !== panel?.route) return
      if (!isListed.value && !isKnown.value) return
      if (isListed.value) show(id)
      remembered.value = null
    },
    { immediate: true },
  )

  function leave(): void {
    if (opened.value === null) return
    show('')
    void nextTick(() => grid?.focus())
  }
  function close(): void {
    remembered.value = null
    leave()
  }
  // Closes the panel of a row that the new account does not have.
  watch(account, (now, before) => {
    if (before !== null && now !== before && openedRow.value === null) leave()
  })
  /** Sets the grid that gets the focus when the panel closes. */
  const attachGrid = (to: typeof grid) => (grid = to)
  return { opened, openedRow, isPage, open, showPage, close, attachGrid, focus: () => grid?.focus() }
}
