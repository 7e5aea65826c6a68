import { ref, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { bridge } from '../../platform/bridge'

/** Milliseconds of quiet before the service is asked. */
const pause = 250

/**
 * Asks the service's own filter for what is typed, once typing pauses. `found` belongs to the text that stands in the
 * box; `notAsked`: the service could not be asked for it, and only what is known here was searched.
 */
export function useFindMachines(account: Ref<AccountId | null>, filter: Ref<string>) {
  const found = shallowRef<readonly MachineView[]>([])
  const asking = ref(false)
  const notAsked = ref(false)

  watch([account, filter], ([id, typed], _before, onCleanup) => {
    found.value = []
    notAsked.value = false
    asking.value = false
    const text = typed.trim()
    if (id === null || text === '') return
    let current = true
    const timer = setTimeout(() => void ask(id, text), pause)
    onCleanup(() => {
      current = false
      clearTimeout(timer)
    })

    async function ask(asked: AccountId, words: string): Promise<void> {
      asking.value = true
      try {
        const machines = await bridge.call('machines.find', { account: asked, text: words })
        if (current) found.value = machines
      } catch {
        if (current) notAsked.value = true
      } finally {
        if (current) asking.value = false
      }
    }
  })

  return { found, asking, notAsked }
}
