import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import { type Creation, MachineDraft } from '#shared/bridge/creation'
import { isPrivateKeyText } from '#shared/ssh-public-key'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Sections } from '../store/settings'

/** Version 0.1.0 kept no request with a draft: nothing that is open was made from it. */
const KeptDraft = MachineDraft.extend({ request: MachineDraft.shape.request.default(() => randomUUID()) })

/** By account and kind. A draft that a later version wrote differently is left out, not a reason to start afresh. */
const Drafts = z.object({ drafts: z.record(z.string(), KeptDraft.nullable().catch(null)).default({}) })

/** What was typed into the form for a new machine, kept until it is sent. Fails with local-fault. */
export function openDrafts(documents: Sections) {
  const section = documents.section('machineDrafts', Drafts)
  const without = (
    { drafts }: z.infer<typeof Drafts>,
    account: AccountId,
    kind?: MachineKind,
  ): z.infer<typeof Drafts>['drafts'] =>
    Object.fromEntries(
      Object.entries(drafts).filter(([key]) =>
        kind === undefined ? !isKeyOf(account, key) : key !== resourceKey(account, kind),
      ),
    )
  return {
    /** Settles once drafts of earlier runs can be read, or cannot for now. */
    ready: section.ready,
    read: (account: AccountId, kind: MachineKind): MachineDraft | null =>
      section.read().drafts[resourceKey(account, kind)] ?? null,
    async keep(account: AccountId, kind: MachineKind, draft: MachineDraft | null): Promise<void> {
      // A private key that was pasted by mistake does not get to the disk.
      const kept = draft && isPrivateKeyText(draft.pastedKey) ? { ...draft, pastedKey: '' } : draft
      await section.change((all) => ({
        drafts: { ...without(all, account, kind), ...(kept && { [resourceKey(account, kind)]: kept }) },
      }))
    },
    /** Drops the draft that a creation was made from, and no other. */
    async settle({ account, kind, name, request }: Creation): Promise<void> {
      await section.change((all) => {
        const kept = all.drafts[resourceKey(account, kind)]
        const isSource = request === null ? kept?.name.trim() === name : kept?.request === request
        return isSource ? { drafts: without(all, account, kind) } : all
      })
    },
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => ({ drafts: without(all, account) }))
    },
  }
}
