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
  replaced: z.record(z.string(), z.array(MachineDraft)).catch({}).default({}),
})
type Drafts = z.infer<typeof Drafts>

const maxReplaced = 10

/** Whether the user entered or selected something. */
const isBegun = ({ name, flavor, volume, pastedKey, initScript }: MachineDraft): boolean =>
  [name, volume, pastedKey, initScript].some((text) => text.trim() !== '') || flavor !== null

/** Returns a draft without a private key that was pasted by mistake, which must not reach the disk. Pure. */
export const withoutPrivateKey = (draft: MachineDraft): MachineDraft =>
  isPrivateKeyText(draft.pastedKey) ? { ...draft, pastedKey: '' } : draft

/** Returns the replaced drafts after `next` is stored: with the draft that it replaces, without itself. Pure. */
function replacedBy(
  next: MachineDraft | null,
  previous: MachineDraft | null | undefined,
  replaced: readonly MachineDraft[] = [],
): MachineDraft[] {
  const isReplaced = next !== null && previous && previous.request !== next.request && isBegun(previous)
  return [...(isReplaced ? [previous] : []), ...replaced]
    .filter(({ request }) => request !== next?.request)
    .slice(0, maxReplaced)
}

/** Stores the form for a new machine until it is sent. Fails with local-fault. */
export function openDrafts(documents: Sections) {
  const section = documents.section('machineDrafts', Drafts)
  const without = ({ drafts }: Drafts, account: AccountId, kind?: MachineKind): Drafts['drafts'] =>
    Object.fromEntries(
      Object.entries(drafts).filter(([key]) =>
        kind === undefined ? !isKeyOf(account, key) : key !== resourceKey(account, kind),
      ),
    )
  return {
    /** Resolves when drafts of earlier runs can be read, or cannot for now. */
    ready: section.ready,
    read: (account: AccountId, kind: MachineKind): MachineDraft | null =>
      section.read().drafts[resourceKey(account, kind)] ?? null,
    /** Returns the last replaced draft that was not resumed. */
    lastReplaced: (account: AccountId, kind: MachineKind): MachineDraft | null =>
      section.read().replaced[resourceKey(account, kind)]?.[0] ?? null,
    async keep(account: AccountId, kind: MachineKind, draft: MachineDraft | null): Promise<void> {
      const safeDraft = draft && withoutPrivateKey(draft)
      const key = resourceKey(account, kind)
      // Also replaces a draft that is known only once the store is open.
      await section.change((all) => ({
        drafts: { ...without(all, account, kind), ...(safeDraft && { [key]: safeDraft }) },
        replaced: { ...all.replaced, [key]: replacedBy(safeDraft, all.drafts[key], all.replaced[key]) },
      }))
    },
    /** Stores a draft as replaced: the form stays as it is, and offers the draft. */
    async setAside(account: AccountId, kind: MachineKind, draft: MachineDraft): Promise<void> {
      const safeDraft = withoutPrivateKey(draft)
      const key = resourceKey(account, kind)
      await section.change(({ drafts, replaced }) => {
        const others = (replaced[key] ?? []).filter(({ request }) => request !== draft.request)
        return { drafts, replaced: { ...replaced, [key]: [safeDraft, ...others].slice(0, maxReplaced) } }
      })
    },
    /** Drops the draft of a creation, and no other. */
    async settle({ account, kind, request }: Pick<Creation, 'account' | 'kind' | 'request'>): Promise<void> {
      await section.change((all) => {
        const key = resourceKey(account, kind)
        const current = all.drafts[key]
        const isSource = (draft: MachineDraft): boolean => draft.request === request
        const replaced = all.replaced[key] ?? []
        const remaining = replaced.filter((draft) => !isSource(draft))
        if (!(current && isSource(current)) && remaining.length === replaced.length) return all
        return {
          drafts: current && isSource(current) ? without(all, account, kind) : all.drafts,
          replaced: { ...all.replaced, [key]: remaining },
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
