import { shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** Initial state of a resource's panel: a tab, or the dialog of an action. */
export interface PanelAsk {
  readonly tab?: string | undefined
  readonly act?: string | undefined
}

/** Moves the panel's initial state from the route's query into a ref, so that going back does not apply it again. */
export function usePanelRequest(name: string, parameter: string, isListed: (id: string) => boolean) {
  const route = useRoute()
  const router = useRouter()
  /** `number` distinguishes repeated requests for the same resource. */
  const request = shallowRef<(PanelAsk & { readonly id: string; readonly number: number }) | null>(null)
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  watch(
    () => route.query,
    async ({ tab, act }) => {
      const id = String(route.params[parameter])
      if (!isListed(id) || (textOf(tab) ?? textOf(act)) === undefined) return
      request.value = { id, number: (request.value?.number ?? 0) + 1, tab: textOf(tab), act: textOf(act) }
      await router.replace({ name, params: { [parameter]: id } })
    },
    { immediate: true },
  )
  return {
    of: (id: string): PanelAsk | undefined => (request.value?.id === id ? request.value : undefined),
    /** Returns a key that changes with each request. */
    key: (id: string): string => (request.value?.id === id ? `${id} ${String(request.value.number)}` : id),
  }
}
