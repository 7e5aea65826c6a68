import { shallowReactive, ref } from 'vue'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { failureOf, type Failure } from '#shared/failure'

/** How far one machine is. */
export type Progress =
  | { readonly kind: 'waiting' | 'doing' | 'done' | 'unknown' | 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * Does the same to several things, one after the other, each once. A failure of one does not stop the others,
 * except where it concerns them all: the service does not offer it, or the account is signed out.
 */
export function useRunActions(act: (id: string) => Promise<ActionOutcome>) {
  const progress = shallowReactive(new Map<string, Progress>())
  const running = ref(false)
  const finished = ref(false)
  let halted = false

  const concernsAll = (failure: Failure): boolean =>
    failure.kind === 'not-offered-by-service' || failure.kind === 'not-signed-in'

  async function one(id: string): Promise<Progress> {
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
    for (const id of ids) {
      if (halted) {
        progress.set(id, { kind: 'cancelled' })
        continue
      }
      progress.set(id, { kind: 'doing' })
      const became = await one(id)
      progress.set(id, became)
      if (became.kind === 'failed' && concernsAll(became.failure)) halted = true
    }
    running.value = false
    finished.value = true
  }

  return {
    progress,
    running,
    finished,
    run,
    /** Those that have not begun are left alone. */
    halt(): void {
      halted = true
    },
  }
}
