import { shallowReactive, ref } from 'vue'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { failureOf, type Failure } from '#shared/failure'

export type Progress =
  | { readonly kind: 'waiting' | 'doing' | 'done' | 'unknown' | 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Runs an action on one item at a time. A failure that affects all items of a group stops the rest of that group. */
export function useRunActions(act: (id: string) => Promise<ActionOutcome>, groupOf = (_id: string) => '') {
  const progress = shallowReactive(new Map<string, Progress>())
  const running = ref(false)
  const finished = ref(false)
  let halted = false

  const affectsAll = (failure: Failure): boolean =>
    failure.kind === 'not-offered-by-service' || failure.kind === 'not-signed-in'

  async function runOne(id: string): Promise<Progress> {
    try {
      return { kind: (await act(id)).kind }
    } catch (error) {
      const failure = failureOf(error, 'machine.action')
      return failure.kind === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', failure }
    }
  }

  async function run(ids: readonly string[]): Promise<void> {
    if (running.value) return
    running.value = true
    halted = false
    for (const id of ids) progress.set(id, { kind: 'waiting' })
    const stopped = new Set<string>()
    for (const id of ids) {
      if (halted || stopped.has(groupOf(id))) {
        progress.set(id, { kind: 'cancelled' })
        continue
      }
      progress.set(id, { kind: 'doing' })
      const outcome = await runOne(id)
      progress.set(id, outcome)
      if (outcome.kind === 'failed' && affectsAll(outcome.failure)) stopped.add(groupOf(id))
    }
    running.value = false
    finished.value = true
  }

  return {
    progress,
    running,
    finished,
    run,
    /** Cancels the items that have not started. */
    halt(): void {
      halted = true
    },
  }
}
