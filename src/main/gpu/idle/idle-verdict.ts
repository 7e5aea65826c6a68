import type { IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { type IdleChain, idleSince } from './idle-chain'
import { emptyHistory, type GpuHistory } from './gpu-history'

/** What is known of one machine's load. Times are epoch seconds, 0 where there was nothing yet. */
export interface LoadEvidence {
  gpu: GpuHistory
  /** Whether that includes the samples of earlier runs. */
  hasStored: boolean
  /** By its CPU; null where it is not idle now. */
  cpu: IdleChain | null
  /** Whether the beginning of that time is known: reading more of the past may have failed. */
  hasCpuBeginning: boolean
  /** The last point of its CPU that was read, whatever its load. */
  cpuAt: number
  cpuReadAt: number
}

export const noEvidence = (): LoadEvidence => ({
  gpu: emptyHistory,
  hasStored: false,
  cpu: null,
  hasCpuBeginning: false,
  cpuAt: 0,
  cpuReadAt: -Infinity,
})

/** Seconds for which the last metrics of a CPU hold while the next ones wait. */
const cpuFresh = 4_500

export type Verdict =
  | ({ readonly kind: 'idle' } & Pick<IdleMachine, 'since' | 'strength'>)
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' }

/** Idle since when, and how surely; `unknown` where neither GPUs nor CPU show it. Pure. */
export function judge(evidence: LoadEvidence, { minutes }: IdleSettings, now: number): Verdict {
  const { gpu } = evidence
  const byGpu = idleSince(gpu.chain, { minutes, now })
  if (byGpu !== undefined) return { kind: 'idle', since: byGpu, strength: 'gpu' }
  // GPUs at work are the better proof; GPUs seen only for a short while, or without a value, prove nothing.
  if (now - gpu.busyAt < minutes * 60) return { kind: 'busy' }
  // Samples that cannot be read yet may show GPUs at work.
  if (!evidence.hasStored) return { kind: 'unknown' }
  // An old answer says nothing about now, as where the service cannot be reached.
  if (now - evidence.cpuAt > cpuFresh) return { kind: 'unknown' }
  const since = idleSince(evidence.cpu ?? undefined, { minutes, now, fresh: cpuFresh })
  return since === undefined
    ? { kind: 'busy' }
    : { kind: 'idle', since: Math.max(since, gpu.busyAt), strength: 'cpu' }
}
