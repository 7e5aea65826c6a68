import { ref, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { bridge } from '../../platform/bridge'

/** Pause in the user's typing before the service is searched. */
const typingPauseMs = 250

/**
 * Searches the service for the filter's text when the user pauses. `found`: results for the current text.
 * `isLocalOnly`: the search failed, so that only the local list is filtered.
 */
export function useFindMachines(account: Ref<AccountId | null>, filter: Ref<string>) {
  const found = shallowRef<readonly MachineView[]>([])
  const asking = ref(false)
  const isLocalOnly = ref(false)

  watch([account, filter], ([id, typed], _before, onCleanup) => {
    found.value = []
    isLocalOnly.value = false
    asking.value = false
    const text = typed.trim()
    if (id === null || text === '') return
    let isCurrent = true
    const search = async (): Promise<void> => {
      asking.value = true
      try {
        const machines = await bridge.call('machines.find', { account: id, text })
        if (isCurrent) found.value = machines
      } catch {
        if (isCurrent) isLocalOnly.value = true
      } finally {
        if (isCurrent) asking.value = false
      }
    }
    const timer = setTimeout(() => void search(), typingPauseMs)
    onCleanup(() => {
      isCurrent = false
      clearTimeout(timer)
    })
  })

  return { found, asking, isLocalOnly }
}
