import { computed, ref, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { hasFiles } from '../../components/dragged-files'
import { useFiles } from '../../stores/files'

/** Files that are dragged over the folder of a machine, and those dropped on the machine, which go there once it `isOpen`. */
export function useDroppedFiles(
  props: Readonly<{ account: AccountId; machine: MachineView }>,
  isOpen: () => boolean,
  upload: () => void,
) {
  const files = useFiles()
  /** How deep the pointer with files is within the folder: it enters each element before it leaves the last. */
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
