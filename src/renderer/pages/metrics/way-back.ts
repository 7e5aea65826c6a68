import { computed, onScopeDispose, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import { t } from '../../platform/i18n'

/** Where the person came from, by name, and how they go back there: by `back`, or with Escape. `ids`: what is compared. */
export function useWayBack(ids: Readonly<Ref<readonly string[]>>) {
  const router = useRouter()
  /** What is changed on the page replaces its address, so this stays as it was on arrival. */
  const before = router.options.history.state.back
  const place = router.resolve(typeof before === 'string' ? before : { name: 'machines' })
  const origin = computed(() => t(place.meta.title))
  /** One step back is one, however often it is pressed before it is done. */
  let leaving = false

  function back(): void {
    if (leaving) return
    if (typeof before !== 'string') {
      void router.push({ name: 'machines' })
      return
    }
    const { machine } = place.params
    leaving = true
    const stop = router.afterEach(({ name }) => {
      stop()
      leaving = false
      // From the panel of a machine one comes by its metrics.
      if (name === 'machines' && typeof machine === 'string' && ids.value.includes(machine))
        void router.replace({ name, params: { machine }, query: { tab: 'metrics' } })
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
