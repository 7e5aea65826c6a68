import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Transfer } from '#shared/bridge/files'
import type { Sections } from '../store/settings'

/** Failed transfers of an account that are kept: the oldest give way to others. */
const mostKept = 100

/** What a transfer copies, and where to. */
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

/** By account, the newest last. */
const Kept = z.record(z.string(), z.array(KeptTransfer))

/** Failed transfers, in the private documents of this computer: they can be tried again after a restart. */
export function createKeptTransfers(documents: Sections) {
  const section = documents.section('failed-transfers', Kept)
  const others = (all: z.infer<typeof Kept>, { account, id }: Transfer): KeptTransfer[] =>
    all[account]?.filter(({ transfer }) => transfer.id !== id) ?? []

  return {
    all: (): readonly KeptTransfer[] => Object.values(section.read()).flat(),
    onLoad: section.onLoad,
    /** Keeps a transfer that has failed, and drops one that has not. Fails with disk-full and local-fault. */
    async settled(transfer: Transfer, source: TransferSource): Promise<void> {
      const isFailed = transfer.state.kind === 'failed'
      const isKept = section.read()[transfer.account]?.some((one) => one.transfer.id === transfer.id) ?? false
      if (!isFailed && !isKept) return
      const own = isFailed ? [{ transfer, source }] : []
      await section.change((all) => ({
        ...all,
        [transfer.account]: [...others(all, transfer), ...own].slice(-mostKept),
      }))
    },
    /** Drops transfers of machines that are gone, or that the user dismissed. Fails as `settled` does. */
    async drop(account: AccountId, isGone: (transfer: Transfer) => boolean): Promise<void> {
      if (!section.read()[account]?.some(({ transfer }) => isGone(transfer))) return
      await section.change((all) => ({
        ...all,
        [account]: all[account]?.filter(({ transfer }) => !isGone(transfer)) ?? [],
      }))
    },
  }
}
