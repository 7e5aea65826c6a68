import { computed } from 'vue'
import type { VolumeView } from '#shared/bridge/volume'
import { useResourceList } from '../../components/list/resource-list'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useActiveCosts } from '../../stores/active-costs'
import { useFleet } from '../../stores/fleet'
import { useVolumes } from '../../stores/volumes'
import { useWaste } from '../../stores/waste'
import { volumeColumns } from './columns'
import { type VolumeColumn, volumeRows } from './volume-rows'

type VolumeGroup = VolumeView['attachment']['kind'] | 'waste'

const order: readonly VolumeGroup[] = ['attached', 'detached', 'unknown', 'waste']

export function useVolumeList() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const volumes = useVolumes()
  const waste = useWaste()
  const costs = useActiveCosts()
  costs.follow(() => (accounts.selected ? [accounts.selected.id] : []))
  const model = computed(() =>
    volumeRows(fleet.machines, (volume) => costs.perHour(accounts.selected?.id ?? null, volume)),
  )
  const list = useResourceList<VolumeView, VolumeColumn, VolumeGroup>({
    name: 'volumes',
    all: () => volumes.list,
    find: (id) => volumes.volumes.get(id),
    asOf: () => volumes.status?.asOf ?? null,
    failure: () => volumes.status?.failure ?? volumes.failure,
    model,
    columns: volumeColumns,
    sorting: { key: 'name', descending: false },
    panel: { route: 'volumes', parameter: 'volume', tab: 'details' },
    groups: {
      of: ({ id, attachment }) =>
        waste.of(accounts.selected?.id ?? null, id) ? [attachment.kind, 'waste'] : [attachment.kind],
      order: (present) => order.filter((group) => present.includes(group)),
    },
  })
  const groups = computed(() => ({
    label: t('volumes.segments.label'),
    choices: [
      { value: null, label: t('volumes.segments.all'), count: list.matched.value.length },
      ...list.counts.value.map(({ group, count }) => ({
        value: group,
        label: t(`volumes.segments.${group}`),
        count,
      })),
    ],
  }))
  return { list, groups }
}
