import { isIP } from 'node:net'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { Sections } from '../store/settings'

const SavedForward = z.object({
  machine: z.string(),
  port: z.int(),
  localPort: z.int(),
  host: z.string().refine(isIP).optional(),
  name: z.string().nullable(),
})

const ForwardsByAccount = z.record(z.string(), z.array(SavedForward))

type AccountForward = z.infer<typeof SavedForward>
export interface SavedForward extends AccountForward {
  readonly account: AccountId
}
type ForwardKey = Pick<ForwardView, 'account' | 'machine' | 'port'>

export function createSavedForwards(documents: Sections) {
  const section = documents.section('saved-forwards', ForwardsByAccount)
  const has = (key: ForwardKey) => (forward: AccountForward) =>
    forward.machine === key.machine && forward.port === key.port

  async function remove(account: AccountId, isOver: (forward: AccountForward) => boolean): Promise<void> {
    await section.change((saved) => {
      const forwards = saved[account]
      if (!forwards?.some(isOver)) return saved
      return { ...saved, [account]: forwards.filter((forward) => !isOver(forward)) }
    })
  }
  return {
    all: (): readonly SavedForward[] =>
      Object.entries(section.read()).flatMap(([account, forwards]) =>
        forwards.map((forward) => ({ account, ...forward })),
      ),
    isSaved: (key: ForwardKey): boolean => section.read()[key.account]?.some(has(key)) ?? false,
    onLoad: section.onLoad,
    /** Fails with disk-full and local-fault; the forward is then saved in memory only. */
    async save({ account, ...forward }: SavedForward): Promise<void> {
      const isSame = has({ account, ...forward })
      await section.change((saved) => {
        const others = (saved[account] ?? []).filter((other) => !isSame(other))
        return { ...saved, [account]: [...others, forward] }
      })
    },
    remove,
    removeForward: (key: ForwardKey): Promise<void> => remove(key.account, has(key)),
  }
}
export type SavedForwards = ReturnType<typeof createSavedForwards>
