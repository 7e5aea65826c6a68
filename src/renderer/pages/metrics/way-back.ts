import { computed, onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { t } from '../../platform/i18n'

/** Returns the name of the user's previous page, and `back`, which Escape also calls. */
export function useWayBack() {
  const router = useRouter()
  /** The previous address; changes on this page replace their own address and not this one. */
  const before = router.options.history.state.back
  const place = router.resolve(typeof before === 'string' ? before : { name: 'machines' })
  const origin = computed(() => t(place.meta.title))
  /** Prevents a second step while the first one runs. */
  let leaving = false

  function back(): void {
    if (leaving) return
    if (typeof before !== 'string') {
      void router.push({ name: 'machines' })
      return
    }
    leaving = true
    const stop = router.afterEach(() => {
      stop()
      leaving = false
    })
    router.back()
  }

  function keys(event: KeyboardEvent): void {
    const { target, key, defaultPrevented } = event
    const isInside = target instanceof HTMLElement && target.closest('input, textarea, dialog, [popover]')
    if (key === 'Escape' && !defaultPrevented && !isInside) back()
  }
  addEventListener('keydown', keys)
  onScopeDispose(() => removeEventListener('keydown', keys))

  return { back, origin }
}
