import type { Failure } from '#shared/failure'
import { machineState } from '#shared/service/machine-state'
import { failureOf } from '../core/failure-of'

export type Presence =
  | { readonly kind: 'running' | 'stopped' | 'moving' | 'gone' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Returns the state of a machine from its details. Never rejects. An unknown state counts as running. */
export async function readPresence(
  details: Promise<{ readonly status?: string | null | undefined }>,
): Promise<Presence> {
  try {
    const state = machineState((await details).status ?? null)
    return { kind: state === 'stopped' || state === 'moving' ? state : 'running' }
  } catch (error) {
    const failure = failureOf(error, 'machine.read')
    return failure.kind === 'refused-by-service' && failure.status === 404
      ? { kind: 'gone' }
      : { kind: 'failed', failure }
  }
}
