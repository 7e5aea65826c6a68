import { ref, shallowRef, watch } from 'vue'
import { failureOf, type Failure } from '#shared/failure'
import { type MessagePath, t } from '../platform/i18n'

/**
 * Tracks an action of the user: whether it runs, and its last failure. `action` names it in failures of this computer.
 * `typed` returns the user's input; a change of it clears the failure.
 */
export function useAction<Input extends readonly unknown[], Output>(
  action: MessagePath | (() => string),
  act: (...input: Input) => Promise<Output>,
  typed?: () => unknown,
) {
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  if (typed) watch(typed, () => (failure.value = null), { deep: true })

  /** Returns true if the action succeeded. A second call during the first does nothing. */
  async function run(...input: Input): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    failure.value = null
    try {
      await act(...input)
      return true
    } catch (error) {
      const reason = failureOf(error, typeof action === 'string' ? t(action) : action())
      failure.value = reason.kind === 'cancelled' ? null : reason
      return false
    } finally {
      busy.value = false
    }
  }

  return { busy, failure, run }
}

/** Runs `act` once more if it was requested during a run, which may have read old data. `act` must not throw. */
export function servingLast(act: () => Promise<unknown>): () => Promise<void> {
  let isRunning = false
  let isRequested = false
  return async () => {
    isRequested = true
    if (isRunning) return
    isRunning = true
    while (isRequested) {
      isRequested = false
      await act()
    }
    isRunning = false
  }
}
