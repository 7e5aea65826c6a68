import { computed, ref, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { hasFiles } from '../../components/dragged-files'
import { useFiles } from '../../stores/files'

/** Tracks files that are dragged over a folder, and uploads files dropped on its machine once the folder `isOpen`. */
export function useDroppedFiles(
  props: Readonly<{ account: AccountId; machine: MachineView }>,
  isOpen: () => boolean,
  upload: () => void,
) {
  const files = useFiles()
  /** Number of elements under the pointer: it enters an element before it leaves the previous one. */
  const depth = ref(0)
  function enter(event: DragEvent, by: number): void {
    if (hasFiles(event)) depth.value = Math.max(0, depth.value + by)
  }
  function drop(event: DragEvent): void {
    depth.value = 0
    if (hasFiles(event)) files.dropped = { account: props.account, machine: props.machine.id }
  }
  watch(
    () => isOpen() && files.isDropped(props.account, props.machine.id),
    (isDue) => {
      if (!isDue) return
      files.dropped = null
      upload()
    },
    { immediate: true },
  )
  return { isOver: computed(() => depth.value > 0), enter, drop }
}
