import { inject, type InjectionKey, onMounted, onUnmounted, provide, type Ref, ref, useId } from 'vue'

const dockKey: InjectionKey<string> = Symbol('panel-dock')

/**
 * Provides the foot of a panel: notices in it overlay the content instead of moving it. `reserved`: padding below the
 * content in pixels, so that all of it can be scrolled clear of the notices. It never shrinks, so that nothing moves.
 */
export function providePanelDock(dock: Readonly<Ref<HTMLElement | null>>) {
  const id = `dock-${useId()}`
  const reserved = ref(0)
  provide(dockKey, id)
  const observer = new ResizeObserver(() => {
    reserved.value = Math.max(reserved.value, dock.value?.offsetHeight ?? 0)
  })
  onMounted(() => dock.value && observer.observe(dock.value))
  onUnmounted(() => observer.disconnect())
  return { id, reserved }
}

/** Returns the element id of the surrounding panel's foot, or null outside of a panel. */
export const usePanelDock = (): string | null => inject(dockKey, null)
