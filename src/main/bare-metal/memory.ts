import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { BareMetalView } from '#shared/bridge/bare-metal'
import type { Sections } from '../store/settings'

/** What is remembered of an instance, so that it can be found again: the service lists none. */
const Remembered = z.object({
  id: z.string(),
  /** Private; empty where the store cannot be opened and the instance was not read since. */
  name: z.string().default(''),
  origin: BareMetalView.shape.origin,
  /** Epoch seconds. */
  since: z.number(),
})
export type Remembered = z.infer<typeof Remembered>

const Memory = z.object({
  accounts: z.record(z.string(), z.array(Remembered)).default({}),
  /** Ids that the person removed, by account: they are not added again automatically. */
  removed: z.record(z.string(), z.array(z.string())).default({}),
})
type Memory = z.infer<typeof Memory>

/** The known instances by account, in the order they became known: the section `bare-metal`. */
export function openBareMetalMemory(documents: Sections) {
  const kept = documents.section('bare-metal', Memory, ['name'])
  const of = (account: AccountId): readonly Remembered[] => kept.read().accounts[account] ?? []

  const removedOf = ({ removed }: Memory, account: AccountId): readonly string[] => removed[account] ?? []

  async function change(
    account: AccountId,
    update: (known: readonly Remembered[], removed: readonly string[]) => readonly Remembered[],
    updateRemoved: (removed: readonly string[]) => readonly string[] = (removed) => removed,
  ): Promise<void> {
    await kept.change((memory) => {
      const { [account]: before = [], ...accounts } = memory.accounts
      const { [account]: removedBefore = [], ...others } = memory.removed
      const known = [...update(before, removedBefore)]
      const removed = [...updateRemoved(removedBefore)]
      return {
        accounts: known.length === 0 ? accounts : { ...accounts, [account]: known },
        removed: removed.length === 0 ? others : { ...others, [account]: removed },
      }
    })
  }
  const without = (all: readonly string[], id: string): readonly string[] => all.filter((one) => one !== id)

  return {
    of,
    /** Names came in. */
    onLoad: kept.onLoad,
    /** Whether what earlier runs kept is known. */
    isReady: kept.isReady,
    wasRemoved: (account: AccountId, id: string): boolean => removedOf(kept.read(), account).includes(id),
    /** One that is known already keeps where it came from, and takes the name. One that was found stays removed. */
    keep: (account: AccountId, instance: Remembered): Promise<void> =>
      change(
        account,
        (known, removed) => {
          if (known.some(({ id }) => id === instance.id))
            return known.map((one) => (one.id === instance.id ? { ...one, name: instance.name } : one))
          return instance.origin === 'found' && removed.includes(instance.id) ? known : [...known, instance]
        },
        (removed) => (instance.origin === 'found' ? removed : without(removed, instance.id)),
      ),
    /** One that was removed since stays removed. */
    rename: (account: AccountId, id: string, name: string): Promise<void> =>
      of(account).some((one) => one.id === id)
        ? change(account, (known) => known.map((one) => (one.id === id ? { ...one, name } : one)))
        : Promise.resolve(),
    drop: (account: AccountId, id: string): Promise<void> =>
      change(
        account,
        (known) => known.filter((one) => one.id !== id),
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
