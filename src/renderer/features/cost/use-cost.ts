import { ref, shallowRef, watch, type WatchSource } from 'vue'
import type { Failure } from '#shared/failure'
import { failureOf } from '#shared/failure'

/**
 * An answer about costs that follows what is asked: `ask` is run whenever `source` changes, and null leaves it alone.
 * What was known stays until something newer comes, unless the person looks at something else: then `reset` is true.
 */
export function useCost<Source, Value>(
  source: WatchSource<Source>,
  ask: (source: Source) => Promise<Value> | null,
  reset: (now: Source, before: Source | undefined) => boolean,
) {
  const value = shallowRef<Value | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let generation = 0
  let last: Source | undefined

  async function load(now: Source): Promise<void> {
    const answer = ask(now)
    if (answer === null) return
    const mine = ++generation
    busy.value = true
    try {
      const loaded = await answer
      if (mine !== generation) return
      value.value = loaded
      failure.value = null
    } catch (error) {
      if (mine === generation) failure.value = failureOf(error, 'cost')
    } finally {
      if (mine === generation) busy.value = false
    }
  }
  watch(
    source,
    (now) => {
      if (reset(now, last)) {
        generation += 1
        value.value = null
        failure.value = null
      }
      last = now
      void load(now)
    },
    { immediate: true },
  )

  return {
    value,
    failure,
    busy,
    again: async (): Promise<void> => {
      if (last !== undefined) await load(last)
    },
  }
}
