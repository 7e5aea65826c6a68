import { isIP } from 'node:net'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { Sections } from '../store/settings'

const SavedForward = z.object({
  machine: z.string(),
  port: z.int(),
  /** The local port that is wished for. */
  localPort: z.int(),
  /** As in ServiceView. */
  host: z.string().refine(isIP).optional(),
  name: z.string().nullable(),
})

/** By account. */
const Saved = z.record(z.string(), z.array(SavedForward))

export interface SavedForward extends z.infer<typeof SavedForward> {
  readonly account: AccountId
}
type Place = Pick<ForwardView, 'account' | 'machine' | 'port'>

/** The forwards that are opened again at the next start, in the private documents of this computer. */
export function createSavedForwards(documents: Sections) {
  const section = documents.section('saved-forwards', Saved)
  const all = (): readonly SavedForward[] =>
    Object.entries(section.read()).flatMap(([account, own]) => own.map((one) => ({ account, ...one })))
  const isSaved = ({ account, machine, port }: Place): boolean =>
    section.read()[account]?.some((one) => one.machine === machine && one.port === port) ?? false

  return {
    all,
    isSaved,
    onLoad: section.onLoad,
    /** Fails with disk-full and local-fault; it is saved in memory then. */
    async save({ account, ...one }: SavedForward): Promise<void> {
      await section.change((kept) => {
        const others = (kept[account] ?? []).filter(
          ({ machine, port }) => machine !== one.machine || port !== one.port,
        )
        return { ...kept, [account]: [...others, one] }
      })
    },
    /** Fails as `save` does. */
    async remove(account: AccountId, isOver: (one: Omit<SavedForward, 'account'>) => boolean): Promise<void> {
      await section.change((kept) => {
        const own = kept[account]
        if (!own?.some(isOver)) return kept
        return { ...kept, [account]: own.filter((one) => !isOver(one)) }
      })
    },
  }
}
