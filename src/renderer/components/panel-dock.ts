import { inject, type InjectionKey, onMounted, onUnmounted, provide, type Ref, ref, useId } from 'vue'

const dockKey: InjectionKey<string> = Symbol('panel-dock')

/**
 * The foot of a panel, where notices lie over its content instead of pushing it away. `kept`: pixels of room below the
 * content, so that all of it can be scrolled clear of them; the room stays when a notice leaves, so that nothing moves.
 */
export function providePanelDock(dock: Readonly<Ref<HTMLElement | null>>) {
  const id = `dock-${useId()}`
  const kept = ref(0)
  provide(dockKey, id)
  const observer = new ResizeObserver(() => {
    kept.value = Math.max(kept.value, dock.value?.offsetHeight ?? 0)
  })
  onMounted(() => dock.value && observer.observe(dock.value))
  onUnmounted(() => observer.disconnect())
  return { id, kept }
}

/** The id of the foot of the panel that this stands in; null outside of panels. */
export const usePanelDock = (): string | null => inject(dockKey, null)
