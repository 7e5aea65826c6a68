import { type Ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** Initial state of a resource's panel: a tab, or the dialog of an action. */
export interface PanelAsk {
  readonly tab?: string | undefined
  readonly act?: string | undefined
}

/**
 * Moves the panel's initial state from the route's query into `panelTab` and the request, so that going back does not
 * apply it again.
 */
export function usePanelRequest(
  name: string,
  parameter: string,
  panelTab: Ref<string>,
  isListed: (id: string) => boolean,
) {
  const route = useRoute()
  const router = useRouter()
  /** `number` distinguishes repeated requests for the same resource. */
  const request = shallowRef<{ readonly id: string; readonly act: string; readonly number: number } | null>(
    null,
  )
  watch(
    () => route.query,
    async ({ tab, act }) => {
      const id = String(route.params[parameter])
      if (!isListed(id) || (typeof tab !== 'string' && typeof act !== 'string')) return
      if (typeof tab === 'string') panelTab.value = tab
      if (typeof act === 'string') request.value = { id, act, number: (request.value?.number ?? 0) + 1 }
      await router.replace({ name, params: { [parameter]: id } })
    },
    { immediate: true },
  )
  return {
    of: (id: string): string | undefined => (request.value?.id === id ? request.value.act : undefined),
    /** Returns a key that changes with each request. */
    key: (id: string): string => (request.value?.id === id ? `${id} ${String(request.value.number)}` : id),
  }
}
