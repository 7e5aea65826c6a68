import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import { type Creation, MachineDraft } from '#shared/bridge/creation'
import { isPrivateKeyText } from '#shared/ssh-public-key'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { Sections } from '../store/settings'

/** Drafts by account and kind. Skips drafts in an unknown format. */
const Drafts = z.object({
  drafts: z.record(z.string(), MachineDraft.nullable().catch(null)).default({}),
  /** Those that another has replaced, the last one first. */
  replaced: z.record(z.string(), z.array(MachineDraft)).catch({}).default({}),
})
type Drafts = z.infer<typeof Drafts>

/** Replaced drafts kept of one account and kind. */
const mostReplaced = 10

/** Whether a person typed or chose something of it. */
const isBegun = ({ name, flavor, volume, pastedKey, initScript }: MachineDraft): boolean =>
  [name, volume, pastedKey, initScript].some((text) => text.trim() !== '') || flavor !== null

/** The replaced ones once `next` is kept: the one that it takes the place of is among them, it is not. Pure. */
function replacedBy(
  next: MachineDraft | null,
  before: MachineDraft | null | undefined,
  replaced: readonly MachineDraft[] = [],
): MachineDraft[] {
  const isOther = next !== null && before && before.request !== next.request && isBegun(before)
  return [...(isOther ? [before] : []), ...replaced]
    .filter(({ request }) => request !== next?.request)
    .slice(0, mostReplaced)
}

/** What was typed into the form for a new machine, kept until it is sent. Fails with local-fault. */
export function openDrafts(documents: Sections) {
  const section = documents.section('machineDrafts', Drafts)
  const without = ({ drafts }: Drafts, account: AccountId, kind?: MachineKind): Drafts['drafts'] =>
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
    /** The draft that was replaced last, and not taken up again since. */
    lastReplaced: (account: AccountId, kind: MachineKind): MachineDraft | null =>
      section.read().replaced[resourceKey(account, kind)]?.[0] ?? null,
    async keep(account: AccountId, kind: MachineKind, draft: MachineDraft | null): Promise<void> {
      // A private key that was pasted by mistake does not get to the disk.
      const kept = draft && isPrivateKeyText(draft.pastedKey) ? { ...draft, pastedKey: '' } : draft
      const key = resourceKey(account, kind)
      // Another draft than before takes its place: also one that is known only once the store is open.
      await section.change((all) => ({
        drafts: { ...without(all, account, kind), ...(kept && { [key]: kept }) },
        replaced: { ...all.replaced, [key]: replacedBy(kept, all.drafts[key], all.replaced[key]) },
      }))
    },
    /** Drops the draft that a creation was made from, and no other. */
    async settle({ account, kind, request }: Creation): Promise<void> {
      await section.change((all) => {
        const key = resourceKey(account, kind)
        const kept = all.drafts[key]
        const isSource = (draft: MachineDraft): boolean => draft.request === request
        const replaced = all.replaced[key] ?? []
        const others = replaced.filter((draft) => !isSource(draft))
        if (!(kept && isSource(kept)) && others.length === replaced.length) return all
        return {
          drafts: kept && isSource(kept) ? without(all, account, kind) : all.drafts,
          replaced: { ...all.replaced, [key]: others },
        }
      })
    },
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => ({
        drafts: without(all, account),
        replaced: Object.fromEntries(Object.entries(all.replaced).filter(([key]) => !isKeyOf(account, key))),
      }))
    },
  }
}
