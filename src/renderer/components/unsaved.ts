import { onUnmounted, shallowReactive } from 'vue'

const forms = shallowReactive(new Set<() => boolean>())

/** From here on, while its component is shown, a form counts as unsaved whenever `isChanged` says so. */
export function useUnsaved(isChanged: () => boolean): void {
  forms.add(isChanged)
  onUnmounted(() => forms.delete(isChanged))
}

/** Whether a form on screen holds what would be lost by a restart. */
export const hasUnsaved = (): boolean => [...forms].some((isChanged) => isChanged())
