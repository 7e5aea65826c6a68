import { computed, ref, shallowRef } from 'vue'
import type { MachineView } from '#shared/bridge/fleet'
import { useResourceList } from '../../components/list/resource-list'
import type { Sorting } from '../../components/rows'
import { statusText } from '../../features/machine-text'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useActiveCosts } from '../../stores/active-costs'
import { useFleet } from '../../stores/fleet'
import { useWaste } from '../../stores/waste'
import { machineColumns } from './columns'
import { useFindMachines } from './find-machines'
import { type MachineColumn, machineRowsWith } from './machine-rows'
import { useLoadOrder } from './load-order'
import { statusOf, statusOrder, wasteGroup } from './machine-states'

/** State of the machine list: the account's machines and the results of the service's search, grouped by status. */
export function useMachineList() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const waste = useWaste()
  const account = computed(() => accounts.selected?.id ?? null)
  const wasted = computed(() => (account.value === null ? undefined : waste.ofAccount.get(account.value)))
  const filter = ref('')
  const { found, asking, isLocalOnly } = useFindMachines(account, filter)
  const costs = useActiveCosts()
  costs.follow(() => (account.value === null ? [] : [account.value]))
  const sorting = shallowRef<Sorting<MachineColumn>>({ key: 'name', descending: false })
  const loads = useLoadOrder(account, () => fleet.list, sorting)
  const model = machineRowsWith({
    amount: (machine, which) => costs[which](account.value, machine),
    load: (machine) => loads.value.get(machine) ?? null,
  })
  const list = useResourceList<MachineView, MachineColumn, string>({
    name: 'machines',
    all: () => fleet.shown,
    find: (id) => fleet.machines.get(id),
    asOf: () => fleet.last?.asOf ?? fleet.status?.asOf ?? null,
    failure: () => fleet.status?.failure ?? fleet.failure,
    model,
    columns: machineColumns,
    sorting,
    panel: { route: 'machines', parameter: 'machine', tab: 'connection' },
    groups: {
      of: (machine) =>
        wasted.value?.has(machine.id) ? [statusOf(machine), wasteGroup] : [statusOf(machine)],
      order: statusOrder,
    },
    filter,
    found,
  })
  const groups = computed(() => ({
    label: t('machines.segments.label'),
    choices: [
      { value: null, label: t('machines.segments.all'), count: list.matched.value.length },
      ...list.counts.value.map(({ group, count }) => ({
        value: group,
        label: group === wasteGroup ? t('waste.title') : statusText(group === '' ? null : group),
        count,
      })),
    ],
  }))
  return { list, groups, asking, isLocalOnly }
}
