import {
  computed,
  isRef,
  nextTick,
  type Ref,
  type ShallowRef,
  ref,
  shallowRef,
  toValue,
  watch,
  type MaybeRefOrGetter,
} from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Failure } from '#shared/failure'
import { useAccounts } from '../../stores/accounts'
import { useNotes } from '../../stores/notes'
import { useSelection } from '../grid/use-selection'
import { rowFilter, type RowModel, sortedBy, sortedByColumn, type Sorting, withFound } from '../rows'

/** What a page of a list shows: the list, or why there is none. */
export type ListView = 'list' | 'no-match' | 'signed-out' | 'failed' | 'loading' | 'empty'

/** One of the groups that a list can be narrowed to. */
interface RowGroups<Row, Group extends string> {
  /** Those that a row belongs to. */
  of(row: Row): readonly Group[]
  /** The groups present in the order of the choice. */
  order(present: readonly Group[]): readonly Group[]
}

/** The groups as choices with their counts; the value null chooses all rows. */
export interface GroupChoice<Group extends string> {
  readonly label: string
  readonly choices: readonly {
    readonly value: Group | null
    readonly label: string
    readonly count: number
  }[]
}

export interface ResourceListDeps<Row, Key extends string, Group extends string> {
  /** All rows that are known of the selected account. */
  readonly all: MaybeRefOrGetter<readonly Row[]>
  readonly find: (id: string) => Row | undefined
  /** Epoch seconds of the last reading; null where there was none. */
  readonly asOf: MaybeRefOrGetter<number | null>
  /** Why the last reading failed. */
  readonly failure: MaybeRefOrGetter<Failure | null>
  readonly model: MaybeRefOrGetter<RowModel<Row, Key>>
  /** To begin with; a ref where the page keeps it. */
  readonly sorting: Sorting<Key> | Ref<Sorting<Key>>
  /** The route that names the row in the panel, and its parameter; lists without a panel have none. */
  readonly panel?: { readonly route: string; readonly parameter: string }
  readonly groups?: RowGroups<Row, Group>
  /** What is typed, where something besides the list follows it. */
  readonly filter?: Ref<string>
  /** Rows that match the filter though they are not among `all`. */
  readonly found?: Readonly<Ref<readonly Row[]>>
}

/**
 * The state of the selected account's list of one resource: what it is filtered, grouped and sorted by, which rows are
 * selected, which one is in the panel, and what is shown in place of rows where there are none.
 */
export function useResourceList<
  Row extends { readonly id: string },
  Key extends string,
  Group extends string = never,
>(deps: ResourceListDeps<Row, Key, Group>) {
  const accounts = useAccounts()
  const notes = useNotes()
  const account = computed(() => accounts.selected?.id ?? null)
  const all = computed(() => toValue(deps.all))
  const filter = deps.filter ?? ref('')
  /** Null: all of them. */
  const group: ShallowRef<Group | null> = shallowRef(null)
  const sorting = isRef(deps.sorting) ? deps.sorting : shallowRef(deps.sorting)
  const sortBy = (key: Key) => (sorting.value = sortedByColumn(sorting.value, key))

  const sorted = computed(() => sortedBy(all.value, toValue(deps.model), sorting.value))
  const matching = computed(() => {
    const { texts } = notes
    return rowFilter(sorted.value, toValue(deps.model), (id) => texts.get(id) ?? '')
  })
  const matched = computed(() => {
    const model = toValue(deps.model)
    const here = matching.value(filter.value)
    const merged = withFound(here, deps.found?.value ?? [], deps.find)
    return merged === here ? here : sortedBy(merged, model, sorting.value)
  })
  const rows = computed(() => {
    const { groups } = deps
    const only = group.value
    return !groups || only === null
      ? matched.value
      : matched.value.filter((row) => groups.of(row).includes(only))
  })

  const presentGroups = computed(
    () => deps.groups?.order([...new Set(all.value.flatMap(deps.groups.of))]) ?? [],
  )
  /** The groups of all rows, so that none disappears while one types, with the counts of what matched. */
  const counts = computed(() => {
    const { groups } = deps
    if (!groups) return []
    const count = new Map<Group, number>()
    for (const row of matched.value)
      for (const one of groups.of(row)) count.set(one, (count.get(one) ?? 0) + 1)
    return presentGroups.value.map((one) => ({ group: one, count: count.get(one) ?? 0 }))
  })
  // A group without rows has no button to leave it by.
  watch(presentGroups, (present) => {
    if (group.value !== null && !present.includes(group.value)) group.value = null
  })
  function showAll(): void {
    filter.value = ''
    group.value = null
  }
  watch(account, showAll)

  // A signed-in account's own failure says that it will not stay signed in, which leaves the list as good as ever.
  const failure = computed(() => {
    const selected = accounts.selected
    return toValue(deps.failure) ?? (selected?.state === 'signed-in' ? null : (selected?.failure ?? null))
  })
  const asOf = computed(() => toValue(deps.asOf))
  const view = computed((): ListView => {
    if (rows.value.length > 0) return 'list'
    if (all.value.length > 0) return 'no-match'
    if (accounts.selected?.state === 'signed-out') return 'signed-out'
    if (toValue(deps.failure)) return 'failed'
    return asOf.value === null ? 'loading' : 'empty'
  })

  const rowOf = (id: string): Row | undefined => deps.find(id) ?? rows.value.find((row) => row.id === id)
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
    view,
    rowOf,
    ...useSelection(account, rows, rowOf),
    ...usePanel(deps.panel, account, rowOf),
    setFilter: (text: string) => (filter.value = text),
    setGroup: (one: Group | null) => (group.value = one),
    nameOf: (row: Row): string => toValue(deps.model).nameOf(row),
  }
}

export type ResourceList<
  Row extends { readonly id: string },
  Key extends string,
  Group extends string,
> = ReturnType<typeof useResourceList<Row, Key, Group>>

/** The row beside the list, which the address names. */
function usePanel<Row>(
  panel: ResourceListDeps<never, never, never>['panel'],
  account: Readonly<Ref<string | null>>,
  rowOf: (id: string) => Row | undefined,
) {
  const route = useRoute()
  const router = useRouter()
  let grid: { focus(): void } | null = null
  const opened = computed(() => {
    const id = panel && route.name === panel.route ? route.params[panel.parameter] : null
    return typeof id === 'string' && id !== '' ? id : null
  })
  const openedRow = computed(() => (opened.value === null ? null : (rowOf(opened.value) ?? null)))
  const show = (id: string) =>
    panel && void router.replace({ name: panel.route, params: { [panel.parameter]: id } })
  function close(): void {
    if (opened.value === null) return
    show('')
    void nextTick(() => grid?.focus())
  }
  // A row of another account has no panel here.
  watch(account, (now, before) => {
    if (before !== null && now !== before && openedRow.value === null) close()
  })
  /** The grid on screen, which gets the focus when the panel is closed. */
  const attachGrid = (to: typeof grid) => (grid = to)
  return { opened, openedRow, open: show, close, attachGrid, focus: () => grid?.focus() }
}
