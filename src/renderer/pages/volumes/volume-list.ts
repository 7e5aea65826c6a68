import { computed, ref, shallowRef, watch } from 'vue'
import type { VolumeView } from '#shared/bridge/volume'
import { useAccounts } from '../../stores/accounts'
import { useFleet } from '../../stores/fleet'
import { useNotes } from '../../stores/notes'
import { useVolumes } from '../../stores/volumes'
import { sortVolumes, type VolumeColumn, type VolumeSorting } from './sort-volumes'
import { machineText, regionText, statusText, volumeName } from './volume-text'

export type AttachmentFilter = VolumeView['attachment']['kind'] | null

/** The rows of the list: what there is, in the order and of the kind that the person asked for. */
export function useVolumeList() {
  const accounts = useAccounts()
  const fleet = useFleet()
  const notes = useNotes()
  const volumes = useVolumes()
  const filter = ref('')
  /** Null: all of them. */
  const attachment = ref<AttachmentFilter>(null)
  const sorting = shallowRef<VolumeSorting>({ key: 'name', descending: false })

  const textOf = (volume: VolumeView): string =>
    [
      volumeName(volume),
      volume.name,
      volume.id,
      regionText(volume),
      statusText(volume.status),
      machineText(volume, fleet.machines),
      volume.description,
      notes.textOf(volume.id),
    ]
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase()

  const matched = computed(() => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
    const sorted = sortVolumes(volumes.list, sorting.value, fleet.machines)
    return words.length === 0
      ? sorted
      : sorted.filter((volume) => words.every((word) => textOf(volume).includes(word)))
  })
  const rows = computed(() =>
    attachment.value === null
      ? matched.value
      : matched.value.filter((volume) => volume.attachment.kind === attachment.value),
  )
  /** The kinds of attachment that there are, with how many of what matched. */
  const counts = computed(() =>
    (['attached', 'detached', 'unknown'] as const)
      .filter((kind) => volumes.list.some((volume) => volume.attachment.kind === kind))
      .map((kind) => ({
        kind,
        count: matched.value.filter((volume) => volume.attachment.kind === kind).length,
      })),
  )

  // A kind that no volume is of any more cannot be chosen away from otherwise.
  watch(counts, (all) => {
    if (!all.some(({ kind }) => kind === attachment.value)) attachment.value = null
  })
  watch(
    () => accounts.selected?.id,
    () => showAll(),
  )

  function showAll(): void {
    filter.value = ''
    attachment.value = null
  }
  function sortBy(key: VolumeColumn): void {
    const descending = sorting.value.key === key && !sorting.value.descending
    sorting.value = { key, descending }
  }

  return { filter, attachment, sorting, matched, rows, counts, showAll, sortBy }
}
