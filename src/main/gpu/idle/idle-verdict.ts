import type { IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { type IdleChain, idleSince } from './idle-chain'
import { emptyHistory, type GpuHistory } from './gpu-history'

/** Known load of one machine. Times are epoch seconds; 0 if there is no value yet. */
export interface LoadEvidence {
  gpu: GpuHistory
  /** Whether `gpu` includes the samples of earlier runs. */
  hasStored: boolean
  /** Idle time of the CPU; null if it is not idle now. */
  cpu: IdleChain | null
  /** Whether the beginning of that idle time is known: reading the past may have failed. */
  hasCpuBeginning: boolean
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

/** Age up to which the last CPU metrics describe the present. */
const cpuFreshSeconds = 4_500

export type Verdict =
  | ({ readonly kind: 'idle' } & Pick<IdleMachine, 'since' | 'strength'>)
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' }

/** Decides whether a machine is idle, since when, and how sure that is. Pure. */
export function judge(evidence: LoadEvidence, { minutes }: IdleSettings, now: number): Verdict {
  const { gpu } = evidence
  const byGpu = idleSince(gpu.chain, { minutes, now })
  if (byGpu !== undefined) return { kind: 'idle', since: byGpu, strength: 'gpu' }
  // GPUs at work are the stronger evidence. A short observation, or one without values, proves nothing.
  if (now - gpu.busyAt < minutes * 60) return { kind: 'busy' }
  // Samples that cannot be read yet may show GPUs at work.
  if (!evidence.hasStored) return { kind: 'unknown' }
  // Old metrics do not describe the present, for example if the service is unreachable.
  if (now - evidence.cpuAt > cpuFreshSeconds) return { kind: 'unknown' }
  const since = idleSince(evidence.cpu ?? undefined, { minutes, now, fresh: cpuFreshSeconds })
  return since === undefined
    ? { kind: 'busy' }
    : { kind: 'idle', since: Math.max(since, gpu.busyAt), strength: 'cpu' }
}
