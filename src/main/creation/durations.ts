import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { Sections } from '../store/settings'

/** Seconds from the order to the state `running`, to the first answer of SSH, and to the end of the set-up. */
const Durations = z.object({
  running: z.array(z.number()).default([]),
  answering: z.array(z.number()).default([]),
  ready: z.array(z.number()).default([]),
})
export type Milestone = keyof z.infer<typeof Durations>

/** By account and flavor. */
const Section = z.record(z.string(), z.record(z.string(), Durations))

/** Creations from which the median follows. */
const maxRecorded = 9
/** Longest duration that is recorded: a longer one contains a pause, such as a sleeping computer. */
const maxSeconds = 60 * 60

/** Stores how long earlier creations of each flavor took. */
export function openDurations(documents: Sections) {
  const section = documents.section('creation-durations', Section)
  return {
    /** Returns the median in seconds; null if the flavor was never created here. */
    usual(account: AccountId, flavor: string, milestone: Milestone): number | null {
      const sorted = (section.read()[account]?.[flavor]?.[milestone] ?? []).toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? null
    },
    async record(account: AccountId, flavor: string, milestone: Milestone, seconds: number): Promise<void> {
      if (seconds <= 0 || seconds > maxSeconds) return
      await section.change((all) => {
        const known = all[account]?.[flavor] ?? { running: [], answering: [], ready: [] }
        const recorded = [...known[milestone], Math.round(seconds)].slice(-maxRecorded)
        return { ...all, [account]: { ...all[account], [flavor]: { ...known, [milestone]: recorded } } }
      })
    },
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
  }
}
export type OpenDurations = ReturnType<typeof openDurations>
