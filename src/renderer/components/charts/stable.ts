import { computed, type ComputedRef } from 'vue'

/** A computed value that stays the same object while it says the same, so that nothing that depends on it is drawn anew. */
export const stable = <Value>(get: () => Value): ComputedRef<Value> => {
  let words = ''
  return computed<Value>((before) => {
    const next = get()
    const now = JSON.stringify(next)
    if (before !== undefined && now === words) return before
    words = now
    return next
  })
}
