import type { IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { type IdleChain, idleSince } from './chain'

/** What is known of one machine's load. Times are epoch seconds, 0 where there was nothing yet. */
export interface Heard {
  /** By its GPUs; undefined before their samples were looked at, null where no idle time goes on. */
  gpu: IdleChain | null | undefined
  /** When all of its GPUs last told how busy they are. */
  gpuAt: number
  /** When one of them was last seen at work. */
  gpuBusyAt: number
  /** By its CPU; null where no idle time goes on. */
  cpu: IdleChain | null
  /** Whether it was looked back as far as that time goes: a question about more of the past may have failed. */
  cpuBegun: boolean
  /** The last point that was heard of its CPU, whatever it did. */
  cpuAt: number
  cpuAsked: number
}

export const nothingHeard = (): Heard => ({
  gpu: undefined,
  gpuAt: 0,
  gpuBusyAt: 0,
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
  const byGpu = idleSince(one.gpu ?? undefined, { minutes, now })
  if (byGpu !== undefined) return { since: byGpu, strength: 'gpu' }
  // GPUs at work are the better proof; GPUs seen only for a short while, or that tell nothing, prove nothing.
  if (now - one.gpuBusyAt < minutes * 60) return 'busy'
  // What was heard last says nothing about now, as where the service cannot be reached.
  if (now - one.cpuAt > cpuFresh) return 'unknown'
  const since = idleSince(one.cpu ?? undefined, { minutes, now, fresh: cpuFresh })
  return since === undefined ? 'busy' : { since: Math.max(since, one.gpuBusyAt), strength: 'cpu' }
}
