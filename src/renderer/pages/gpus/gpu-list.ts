import { computed, ref, watch } from 'vue'
import { z } from 'zod'
import type { GpuGroup, GpuListChoice } from '#shared/bridge/app'
import { gpuGroups } from '#shared/bridge/app'
import type { MachineView } from '#shared/bridge/fleet'
import type { Failure } from '#shared/failure'
import { useListView } from '../../components/list/list-view'
import { rowFilter, sortedBy } from '../../components/rows'
import { servingLast, useAction } from '../../components/action'
import { useToast } from '../../components/toast'
import { useMinute } from '../../platform/clock'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useActiveCosts } from '../../stores/active-costs'
import { useApp } from '../../stores/app'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { useGpus } from '../../stores/gpus'
import { useIdle } from '../../stores/idle'
import { type GpuTile, gpuRows, isInGroup, tilesOf, totalsOf } from './gpu-tiles'

const firstChoice: GpuListChoice = { group: null, sorting: 'machine', descending: false }

/** Tiles of all GPUs of the selected account with filter, order and totals, as the user left them. */
export function useGpuList() {
  const accounts = useAccounts()
  const app = useApp()
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const gpus = useGpus()
  const idle = useIdle()
  const costs = useActiveCosts()
  const minute = useMinute()
  const toast = useToast()
  const account = computed(() => accounts.selected?.id ?? null)
  costs.follow(() => (account.value === null ? [] : [account.value]))

  const loading = useAction('gpus.attempt', gpus.loadFleet)
  const load = servingLast(async () => {
    if (account.value !== null) await loading.run(account.value)
  })
  watch(account, load, { immediate: true })
  const settings = useAction('gpus.attempt', idle.loadSettings)
  void settings.run()

  const machines = computed(() => {
    const of = (isBareMetal: boolean) => (machine: MachineView) => ({
      machine,
      isBareMetal,
      view: account.value === null ? null : gpus.of(account.value, machine.id),
      unused: account.value === null ? new Map() : idle.gpusOfRunning(account.value, machine),
      perHour: costs.amounts(account.value, machine.id, 'perHour'),
      isRotated: gpus.isRotated,
    })
    return [...fleet.shown.map(of(false)), ...bareMetal.list.map(of(true))]
  })
  const all = computed(() =>
    machines.value.flatMap((machine) => tilesOf(machine, idle.settings.threshold, minute.value)),
  )
  const unmonitored = computed(
    () => new Set(all.value.flatMap(({ view, machine }) => (view?.consent ? [] : machine.id))).size,
  )

  const choice = ref(app.settings.gpuList ?? firstChoice)
  function choose(change: Partial<GpuListChoice>): void {
    choice.value = { ...choice.value, ...change }
    void toast.attempt(t('gpus.title'), () => app.change({ gpuList: choice.value }))
  }
  const group = computed({
    get: () => choice.value.group,
    set: (next: GpuGroup | null) => choose({ group: next }),
  })
  const filter = ref('')
  useListView('gpus', account).remember('filter', filter, z.string())
  const matching = computed(() => {
    const { sorting, descending } = choice.value
    return rowFilter(sortedBy(all.value, gpuRows, { key: sorting, descending }), gpuRows)
  })
  const matched = computed(() => matching.value(filter.value))
  const tiles = computed((): readonly GpuTile[] => {
    const chosen = group.value
    return chosen === null ? matched.value : matched.value.filter((tile) => isInGroup(tile, chosen))
  })
  const groups = computed(() => {
    const countOf = (value: GpuGroup): number => matched.value.filter((tile) => isInGroup(tile, value)).length
    const choices = gpuGroups.map((value) => ({
      value,
      label: t(`gpus.groups.${value}`),
      count: countOf(value),
    }))
    return {
      label: t('gpus.groups.label'),
      choices: [
        { value: null, label: t('gpus.groups.all'), count: matched.value.length },
        // A rare use needs space only while it occurs.
        ...choices.filter(
          ({ value, count }) => value !== 'barely-used' || count > 0 || group.value === value,
        ),
      ],
    }
  })
  function showAll(): void {
    filter.value = ''
    group.value = null
  }

  const failure = computed<Failure | null>(
    () => fleet.status?.failure ?? fleet.failure ?? loading.failure.value,
  )
  const isRead = computed(() => {
    const asOf = fleet.last?.asOf ?? fleet.status?.asOf ?? null
    return asOf !== null && account.value !== null && gpus.loadedFleets.has(account.value)
  })
  const view = computed(() => {
    if (tiles.value.length > 0 && isRead.value) return 'list'
    if (all.value.length > 0 && isRead.value) return 'no-match'
    if (accounts.selected?.state === 'signed-out') return 'signed-out'
    if (failure.value) return 'failed'
    return isRead.value ? 'empty' : 'loading'
  })
  async function refresh(): Promise<void> {
    await Promise.all([fleet.refresh(), load()])
  }
  return {
    tiles,
    totals: computed(() => totalsOf(all.value)),
    choice,
    choose,
    filter,
    group,
    groups,
    showAll,
    view,
    failure,
    refresh,
    unmonitored,
  }
}
