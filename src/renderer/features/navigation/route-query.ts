import { shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** What the panel of a resource is to begin with: one of its tabs, or the question for an action. */
export interface PanelAsk {
  readonly tab?: string | undefined
  readonly act?: string | undefined
}

/**
 * What the command palette asked for of the resource that a page shows, with its id; `number` sets one asking off from the
 * next. Once it is taken, going back does not ask again.
 */
export function useAskedOf(name: string, parameter: string, isListed: (id: string) => boolean) {
  const route = useRoute()
  const router = useRouter()
  const asked = shallowRef<(PanelAsk & { readonly id: string; readonly number: number }) | null>(null)
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  watch(
    () => route.query,
    async ({ tab, act }) => {
      const id = String(route.params[parameter])
      if (!isListed(id) || (textOf(tab) ?? textOf(act)) === undefined) return
      asked.value = { id, number: (asked.value?.number ?? 0) + 1, tab: textOf(tab), act: textOf(act) }
      await router.replace({ name, params: { [parameter]: id } })
    },
    { immediate: true },
  )
  return {
    of: (id: string): PanelAsk | undefined => (asked.value?.id === id ? asked.value : undefined),
    /** Another one wherever something is asked anew. */
    key: (id: string): string => (asked.value?.id === id ? `${id} ${String(asked.value.number)}` : id),
  }
}
