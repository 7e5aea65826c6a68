import { ref, shallowRef, watch } from 'vue'
import { failureOf, type Failure } from '#shared/failure'
import { type MessagePath, t } from '../platform/i18n'

/**
 * Something that the person started: whether it is under way, and why it failed last. `action` is the message that
 * names it in a failure of this computer. `typed`: what the person typed for it; a failure goes once that is changed.
 */
export function useAction<Input extends readonly unknown[], Output>(
  action: MessagePath | (() => string),
  act: (...input: Input) => Promise<Output>,
  typed?: () => unknown,
) {
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  if (typed) watch(typed, () => (failure.value = null), { deep: true })

  /** True when it was done. A second start while the first is under way does nothing. */
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

/** Acts once more where it was asked to while it acted: what it saw then may be old. `act` never fails. */
export function servingLast(act: () => Promise<unknown>): () => Promise<void> {
  let isActing = false
  let isAsked = false
  return async () => {
    isAsked = true
    if (isActing) return
    isActing = true
    while (isAsked) {
      isAsked = false
      await act()
    }
    isActing = false
  }
}
