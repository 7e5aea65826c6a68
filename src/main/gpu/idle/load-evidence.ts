import type { IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { type IdleChain, idleSince } from './chain'
import { type GpuPast, noPast } from '../gpu-past'

/** What is known of one machine's load. Times are epoch seconds, 0 where there was nothing yet. */
export interface Heard {
  gpu: GpuPast
  /** Whether that includes the samples of earlier runs. */
  isRecalled: boolean
  /** By its CPU; null where no idle time goes on. */
  cpu: IdleChain | null
  /** Whether it was looked back as far as that time goes: a question about more of the past may have failed. */
  cpuBegun: boolean
  /** The last point that was heard of its CPU, whatever it did. */
  cpuAt: number
  cpuAsked: number
}

export const nothingHeard = (): Heard => ({
  gpu: noPast,
  isRecalled: false,
  cpu: null,
  cpuBegun: false,
  cpuAt: 0,
  cpuAsked: -Infinity,
})

/** Seconds for which the last answer about a CPU holds, where its next question waits for its turn. */
const cpuFresh = 4_500

export type Verdict = Pick<IdleMachine, 'since' | 'strength'> | 'busy' | 'unknown'

/** Idle since when, and how surely; `unknown` where nobody could see. Pure. */
export function judge(one: Heard, { minutes }: IdleSettings, now: number): Verdict {
  const byGpu = idleSince(one.gpu.chain, { minutes, now })
  if (byGpu !== undefined) return { since: byGpu, strength: 'gpu' }
  // GPUs at work are the better proof; GPUs seen only for a short while, or that tell nothing, prove nothing.
  if (now - one.gpu.busy < minutes * 60) return 'busy'
  // Samples that cannot be read yet may tell of GPUs at work.
  if (!one.isRecalled) return 'unknown'
  // What was heard last says nothing about now, as where the service cannot be reached.
  if (now - one.cpuAt > cpuFresh) return 'unknown'
  const since = idleSince(one.cpu ?? undefined, { minutes, now, fresh: cpuFresh })
  return since === undefined ? 'busy' : { since: Math.max(since, one.gpu.busy), strength: 'cpu' }
}
