import { computed } from 'vue'
import type { VolumeView } from '#shared/bridge/volume'
import { useResourceList } from '../../components/list/resource-list'
import { t } from '../../platform/i18n'
import { useFleet } from '../../stores/fleet'
import { useVolumes } from '../../stores/volumes'
import { type VolumeColumn, volumeRows } from './volume-rows'

type Attachment = VolumeView['attachment']['kind']

const attachments: readonly Attachment[] = ['attached', 'detached', 'unknown']

/** The volumes of the account, grouped by their attachment. */
export function useVolumeList() {
  const fleet = useFleet()
  const volumes = useVolumes()
  const model = computed(() => volumeRows(fleet.machines))
  const list = useResourceList<VolumeView, VolumeColumn, Attachment>({
    all: () => volumes.list,
    find: (id) => volumes.volumes.get(id),
    asOf: () => volumes.status?.asOf ?? null,
    failure: () => volumes.status?.failure ?? volumes.failure,
    model,
    sorting: { key: 'name', descending: false },
    panel: { route: 'volumes', parameter: 'volume' },
    groups: {
      of: ({ attachment }) => attachment.kind,
      order: (present) => attachments.filter((one) => present.includes(one)),
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
