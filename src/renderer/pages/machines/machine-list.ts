import { computed, ref } from 'vue'
import type { MachineView } from '#shared/bridge/fleet'
import { useResourceList } from '../../components/list/resource-list'
import { statusText } from '../../features/machine-text'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useFleet } from '../../stores/fleet'
import { useWaste } from '../../stores/waste'
import { useFindMachines } from './find-machines'
import { type MachineColumn, machineRows } from './machine-rows'
import { statusOf, statusOrder, wasteGroup } from './machine-states'

/** The machines of the account and those that only the service's own filter finds, grouped by status. */
export function useMachineList() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const waste = useWaste()
  const account = computed(() => accounts.selected?.id ?? null)
  const filter = ref('')
  const { found, asking, notAsked } = useFindMachines(account, filter)
  const list = useResourceList<MachineView, MachineColumn, string>({
    all: () => fleet.list,
    find: (id) => fleet.machines.get(id),
    asOf: () => fleet.status?.asOf ?? null,
    failure: () => fleet.status?.failure ?? fleet.failure,
    model: machineRows,
    sorting: { key: 'name', descending: false },
    panel: { route: 'machines', parameter: 'machine' },
    groups: {
      of: (machine) =>
        waste.of(account.value, machine.id) ? [statusOf(machine), wasteGroup] : [statusOf(machine)],
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
  return { list, groups, asking, notAsked }
}
