import {
  inject,
  type InjectionKey,
  nextTick,
  onMounted,
  onUnmounted,
  provide,
  type Ref,
  ref,
  useId,
} from 'vue'

const dockKey: InjectionKey<string> = Symbol('panel-dock')

/**
 * Provides the foot of a panel: notices in it overlay the content instead of moving it. `reserved`: padding below the
 * content in pixels, so that all of it can be scrolled clear of the notices. It never shrinks, so that nothing moves.
 */
export function providePanelDock(dock: Readonly<Ref<HTMLElement | null>>) {
  const id = `dock-${useId()}`
  const reserved = ref(0)
  provide(dockKey, id)
  /** A notice that appears must not cover the focus of the keyboard. */
  async function showFocus(): Promise<void> {
    await nextTick()
    const focused = dock.value?.parentElement?.querySelector(':focus-visible')
    if (focused && !dock.value?.contains(focused)) focused.scrollIntoView({ block: 'nearest' })
  }
  const observer = new ResizeObserver(() => {
    const height = dock.value?.offsetHeight ?? 0
    if (height <= reserved.value) return
    reserved.value = height
    void showFocus()
  })
  onMounted(() => dock.value && observer.observe(dock.value))
  onUnmounted(() => observer.disconnect())
  return { id, reserved }
}

/** Returns the element id of the surrounding panel's foot, or null outside of a panel. */
export const usePanelDock = (): string | null => inject(dockKey, null)
