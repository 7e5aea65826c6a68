import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { Creation, Wish } from '#shared/bridge/creation'
import { translate } from '#shared/messages/index'
import { withNameHash } from '../store/name-hash'
import type { Sections } from '../store/settings'

/** Creation with the facts that are needed to follow it, also after a restart. */
export const Entry = Creation.omit({ usualSeconds: true, link: true }).extend({
  /** Ids that cannot be the result: they existed before, or belong to another creation. Empty once it is known. */
  before: z.array(z.string()),
  /** Whether `before` names every machine that existed. */
  isBaselineWhole: z.boolean().default(true),
  /** Private key that Connect will use once the machine exists; null if there is none left to set. */
  identityFile: z.string().nullable(),
  /** Private, like the cause: see name-hash.ts. */
  name: z.string().default(''),
  nameHash: z.string().optional(),
  cause: Creation.shape.cause.default(null),
  connect: Wish.default('none'),
  services: Wish.default('none'),
})
export type Entry = z.infer<typeof Entry>

export const viewOf = (
  { before: _, isBaselineWhole: __, identityFile: ___, nameHash: ____, ...creation }: Entry,
  facts: Pick<Creation, 'usualSeconds' | 'link'>,
): Creation => ({
  ...creation,
  ...facts,
  name: creation.name || translate('creation.nameUnknown'),
})

const isOpen = ({ state }: Entry): boolean => !('machine' in state)

const Entries = z.object({ entries: z.array(Entry.transform(withNameHash)).default([]) })

/** Stores creations before they are sent, so that they survive a crash. Fails with local-fault. */
export function openEntries(documents: Sections, changed: (account: AccountId) => void) {
  const section = documents.section('creations', Entries, [
    'name',
    'cause',
    'failure',
    'detail',
    'log',
    'stop',
  ])

  const write = async (
    account: AccountId,
    change: (entries: readonly Entry[]) => readonly Entry[],
  ): Promise<void> => {
    const written = section.change(({ entries }) => ({ entries: [...change(entries)] }))
    changed(account)
    await written
  }

  section.onLoad(() => new Set(section.read().entries.map(({ account }) => account)).forEach(changed))

  return {
    all: (): readonly Entry[] => section.read().entries,
    of: (account: AccountId): readonly Entry[] =>
      section.read().entries.filter((entry) => entry.account === account),
    get: (id: string): Entry | undefined => section.read().entries.find((entry) => entry.id === id),
    add: (entry: Entry) => write(entry.account, (entries) => [...entries, withNameHash(entry)]),
    update: (account: AccountId, id: string, change: (entry: Entry) => Entry) =>
      write(account, (entries) => entries.map((entry) => (entry.id === id ? change(entry) : entry))),
    remove: (account: AccountId, id: string) =>
      write(account, (entries) => entries.filter((entry) => entry.id !== id)),
    forgetAccount: (account: AccountId) =>
      write(account, (entries) => entries.filter((entry) => entry.account !== account)),
    /** Assigns a machine to one creation, so that no other creation matches it. */
    claim: (account: AccountId, id: string, machine: string) =>
      write(account, (entries) =>
        entries.map((entry) =>
          entry.account === account && entry.id !== id && isOpen(entry)
            ? { ...entry, before: [...entry.before, machine] }
            : entry,
        ),
      ),
  }
}
export type EntryBook = ReturnType<typeof openEntries>
