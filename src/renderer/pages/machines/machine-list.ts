import { computed, ref, shallowRef, watch } from 'vue'
import { useAccounts } from '../../stores/accounts'
import { useFleet } from '../../stores/fleet'
import { useNotes } from '../../stores/notes'
import { filterMachines, mergeFound } from './filter-machines'
import { useFindMachines } from './find-machines'
import { inStatus, statusCounts } from './machine-states'
import { sortMachines, type SortKey, type Sorting } from './sort-machines'

/** The rows of the list: what there is, in the order and of the kind that the person asked for. */
export function useMachineList() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const notes = useNotes()
  const account = computed(() => accounts.selected?.id ?? null)
  const filter = ref('')
  /** Null: all of them. */
  const status = ref<string | null>(null)
  const sorting = shallowRef<Sorting>({ key: 'name', descending: false })
  const { found, asking, notAsked } = useFindMachines(account, filter)

  const sorted = computed(() => sortMachines(fleet.list, sorting.value))
  const matched = computed(() => {
    const here = filterMachines(sorted.value, filter.value, notes.textOf)
    const merged = mergeFound(here, found.value, fleet.machines)
    return merged === here ? here : sortMachines(merged, sorting.value)
  })
  const rows = computed(() => inStatus(matched.value, status.value))

  const present = computed(() => statusCounts(fleet.list))
  /** The statuses of the whole fleet, so that none jumps away while one types, with the counts of what matched. */
  const counts = computed(() => {
    const matching = new Map(statusCounts(matched.value).map((one) => [one.status, one.count]))
    return present.value.map((one) => ({ status: one.status, count: matching.get(one.status) ?? 0 }))
  })

  // A status that no machine is in any more cannot be chosen away from otherwise.
  watch(present, (all) => {
    if (status.value !== null && !all.some((one) => one.status === status.value)) status.value = null
  })
  watch(account, () => showAll())

  function showAll(): void {
    filter.value = ''
    status.value = null
  }
  function sortBy(key: SortKey): void {
    const descending = sorting.value.key === key && !sorting.value.descending
    sorting.value = { key, descending }
  }

  return { filter, status, sorting, rows, matched, counts, asking, notAsked, showAll, sortBy }
}
