import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { BareMetalView } from '#shared/bridge/bare-metal'
import type { Sections } from '../store/settings'

/** Remembered facts about an instance, since the service has no list. */
const Remembered = z.object({
  id: z.string(),
  /** Private; empty if the store is closed and the instance was not read since. */
  name: z.string().default(''),
  origin: BareMetalView.shape.origin,
  /** Epoch seconds. */
  since: z.number(),
})
export type Remembered = z.infer<typeof Remembered>

const Memory = z.object({
  accounts: z.record(z.string(), z.array(Remembered)).default({}),
  /** Ids that the user removed, by account: these are not added automatically again. */
  removed: z.record(z.string(), z.array(z.string())).default({}),
})
type Memory = z.infer<typeof Memory>

/** Stores the known instances by account in the order of their discovery: the section `bare-metal`. */
export function openBareMetalMemory(documents: Sections) {
  const section = documents.section('bare-metal', Memory, ['name'])
  const of = (account: AccountId): readonly Remembered[] => section.read().accounts[account] ?? []

  const removedOf = ({ removed }: Memory, account: AccountId): readonly string[] => removed[account] ?? []

  async function change(
    account: AccountId,
    update: (known: readonly Remembered[], removed: readonly string[]) => readonly Remembered[],
    updateRemoved: (removed: readonly string[]) => readonly string[] = (removed) => removed,
  ): Promise<void> {
    await section.change((memory) => {
      const { [account]: before = [], ...accounts } = memory.accounts
      const { [account]: removedBefore = [], ...otherRemoved } = memory.removed
      const known = [...update(before, removedBefore)]
      const removed = [...updateRemoved(removedBefore)]
      return {
        accounts: known.length === 0 ? accounts : { ...accounts, [account]: known },
        removed: removed.length === 0 ? otherRemoved : { ...otherRemoved, [account]: removed },
      }
    })
  }
  const without = (all: readonly string[], id: string): readonly string[] =>
    all.filter((entry) => entry !== id)

  return {
    of,
    /** Emits when names were loaded. */
    onLoad: section.onLoad,
    isReady: section.isReady,
    wasRemoved: (account: AccountId, id: string): boolean => removedOf(section.read(), account).includes(id),
    /** Adds an instance, or renames it if it is known. An instance found in the usage stays removed. */
    keep: (account: AccountId, instance: Remembered): Promise<void> =>
      change(
        account,
        (known, removed) => {
          if (known.some(({ id }) => id === instance.id))
            return known.map((entry) =>
              entry.id === instance.id ? { ...entry, name: instance.name } : entry,
            )
          return instance.origin === 'found' && removed.includes(instance.id) ? known : [...known, instance]
        },
        (removed) => (instance.origin === 'found' ? removed : without(removed, instance.id)),
      ),
    /** Renames an instance, unless it was removed. */
    rename: (account: AccountId, id: string, name: string): Promise<void> =>
      of(account).some((entry) => entry.id === id)
        ? change(account, (known) => known.map((entry) => (entry.id === id ? { ...entry, name } : entry)))
        : Promise.resolve(),
    drop: (account: AccountId, id: string): Promise<void> =>
      change(
        account,
        (known) => known.filter((entry) => entry.id !== id),
        (removed) => [...without(removed, id), id],
      ),
    forgetAccount: (account: AccountId): Promise<void> =>
      change(
        account,
        () => [],
        () => [],
      ),
  }
}
export type BareMetalMemory = ReturnType<typeof openBareMetalMemory>
