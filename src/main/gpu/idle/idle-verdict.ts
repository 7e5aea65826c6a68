import type { IdleGpu, IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { type IdleChain, idleSince, maxGapSeconds } from './idle-chain'
import { activityGapSeconds, emptyHistory, type GpuHistory } from './gpu-history'

/** Load of one GPU. */
interface OneGpu {
  readonly index: number
  readonly history: GpuHistory
}

/** Known load of one machine. Times are epoch seconds; 0 if there is no value yet. */
export interface LoadEvidence {
  /** All GPUs together. */
  gpu: GpuHistory
  /** Each GPU of the last reading, by its id. */
  gpus: ReadonlyMap<string, OneGpu>
  /** Whether `gpu` includes the samples of earlier runs. */
  hasStored: boolean
  /** Whether the user allowed to read the GPUs. */
  isMonitored: boolean
  /** Idle time of the CPU; null if it is not idle now. */
  cpu: IdleChain | null
  /** Whether the beginning of that idle time is known: reading the past may have failed. */
  hasCpuBeginning: boolean
  cpuAt: number
  cpuReadAt: number
}

export const noEvidence = (): LoadEvidence => ({
  gpu: emptyHistory,
  gpus: new Map(),
  hasStored: false,
  isMonitored: false,
  cpu: null,
  hasCpuBeginning: false,
  cpuAt: 0,
  cpuReadAt: -Infinity,
})

/** Age up to which the last CPU metrics describe the present. */
const cpuFreshSeconds = 4_500

type Unused<Use> = { readonly kind: 'unused' } & Pick<
  Use,
  Extract<keyof Use, 'since' | 'use' | 'held' | 'basis'>
>
type GpuVerdict = Unused<IdleGpu> | { readonly kind: 'busy' }
export type Verdict = Unused<IdleMachine> | { readonly kind: 'busy' } | { readonly kind: 'unknown' }

/** Shortest time of being busy but barely used that counts, in minutes. */
const barelyUsedMinutes = 60

/** Returns the verdict about a GPU, or about all GPUs of a machine; undefined if their load proves nothing. Pure. */
export function judgeByGpu(gpu: GpuHistory, minutes: number, now: number): GpuVerdict | undefined {
  const since = idleSince(gpu.idle.chain, { minutes, now })
  if (since !== undefined) {
    const { chain } = gpu.held
    if (!chain || now - chain.last > maxGapSeconds)
      return { kind: 'unused', use: 'idle', since, held: null, basis: 'gpu' }
    const held = { since: Math.max(since, chain.since), mebibytes: gpu.heldMebibytes }
    return { kind: 'unused', use: 'held', since, held, basis: 'gpu' }
  }
  const barely = idleSince(gpu.barelyUsed.chain, {
    minutes: Math.max(minutes, barelyUsedMinutes),
    now,
    fresh: activityGapSeconds,
  })
  if (barely !== undefined) {
    const basis = gpu.isEstimated ? 'power' : 'gpu'
    return { kind: 'unused', use: 'barely-used', since: barely, held: null, basis }
  }
  // A short observation, or one without values, proves nothing.
  return now - gpu.busyAt < minutes * 60 ? { kind: 'busy' } : undefined
}

/** Whether the GPUs of a machine were measured lately. Otherwise only its CPU is known. Pure. */
export const isMeasured = ({ gpu }: LoadEvidence, { minutes }: IdleSettings, now: number): boolean =>
  now - gpu.knownAt <= maxGapSeconds || now - gpu.busyAt < minutes * 60

/**
 * Decides whether a machine is unused, since when, and how. The list of machines, their panel, waste, alerts and the tray all
 * show this verdict. Pure.
 */
export function judge(evidence: LoadEvidence, { minutes }: IdleSettings, now: number): Verdict {
  const { gpu } = evidence
  // GPUs are the stronger evidence.
  const byGpu = judgeByGpu(gpu, minutes, now)
  if (byGpu) return byGpu
  // Samples that cannot be read yet may show GPUs at work.
  if (!evidence.hasStored) return { kind: 'unknown' }
  // Old metrics do not describe the present, for example if the service is unreachable.
  if (now - evidence.cpuAt > cpuFreshSeconds) return { kind: 'unknown' }
  const since = idleSince(evidence.cpu ?? undefined, { minutes, now, fresh: cpuFreshSeconds })
  if (since === undefined) return { kind: 'busy' }
  const basis = evidence.isMonitored ? 'unreported' : 'unmonitored'
  return { kind: 'unused', use: 'cpu-idle', since: Math.max(since, gpu.busyAt), held: null, basis }
}
