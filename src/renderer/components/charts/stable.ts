import { computed, type ComputedRef } from 'vue'

/** Creates a computed value that stays the same object while its JSON is equal, so that nothing redraws. */
export const stable = <Value>(get: () => Value): ComputedRef<Value> => {
  let json = ''
  return computed<Value>((before) => {
    const next = get()
    const nextJson = JSON.stringify(next)
    if (before !== undefined && nextJson === json) return before
    json = nextJson
    return next
  })
}
