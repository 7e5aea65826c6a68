import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Transfer } from '#shared/bridge/files'
import type { Sections } from '../store/settings'

/** Failed transfers stored for an account. The oldest are dropped. */
const maxTransfers = 100

const TransferSource = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('download'),
    folder: z.string(),
    names: z.array(z.string()).readonly(),
    target: z.object({ kind: z.enum(['folder', 'file']), path: z.string() }),
  }),
  z.object({ kind: z.literal('upload'), folder: z.string(), paths: z.array(z.string()).readonly() }),
])
export type TransferSource = z.infer<typeof TransferSource>

const KeptTransfer = z.object({ transfer: Transfer, source: TransferSource })
export type KeptTransfer = z.infer<typeof KeptTransfer>

const TransfersByAccount = z.record(z.string(), z.array(KeptTransfer))

/** Stores failed transfers in the private documents of this computer, so that the user can retry them after a restart. */
export function createKeptTransfers(documents: Sections) {
  const section = documents.section('failed-transfers', TransfersByAccount)

  return {
    all: (): readonly KeptTransfer[] => Object.values(section.read()).flat(),
    onLoad: section.onLoad,
    /** Stores a failed transfer, and drops any other. Fails with disk-full and local-fault. */
    async settled(transfer: Transfer, source: TransferSource): Promise<void> {
      const { account, id } = transfer
      const isFailed = transfer.state.kind === 'failed'
      const isKept = section.read()[account]?.some((kept) => kept.transfer.id === id) ?? false
      if (!isFailed && !isKept) return
      await section.change((all) => {
        const others = all[account]?.filter((kept) => kept.transfer.id !== id) ?? []
        const transfers = isFailed ? [...others, { transfer, source }] : others
        return { ...all, [account]: transfers.slice(-maxTransfers) }
      })
    },
    /** Drops transfers that the user dismissed or whose machines are gone. Fails as `settled` does. */
    async drop(account: AccountId, isGone: (transfer: Transfer) => boolean): Promise<void> {
      if (!section.read()[account]?.some(({ transfer }) => isGone(transfer))) return
      await section.change((all) => ({
        ...all,
        [account]: all[account]?.filter(({ transfer }) => !isGone(transfer)) ?? [],
      }))
    },
  }
}
