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

const Memory = z.object({ accounts: z.record(z.string(), z.array(Remembered)).default({}) })

/** The known instances by account, in the order they became known: the section `bare-metal`. */
export function openBareMetalMemory(documents: Sections) {
  const kept = documents.section('bare-metal', Memory, ['name'])
  const of = (account: AccountId): readonly Remembered[] => kept.read().accounts[account] ?? []

  async function change(
    account: AccountId,
    update: (known: readonly Remembered[]) => readonly Remembered[],
  ): Promise<void> {
    await kept.change(({ accounts }) => {
      const { [account]: before = [], ...others } = accounts
      const known = [...update(before)]
      return { accounts: known.length === 0 ? others : { ...others, [account]: known } }
    })
  }

  return {
    of,
    /** Names came in. */
    onLoad: kept.onLoad,
    /** One that is known already keeps where it came from, and takes the name. */
    keep: (account: AccountId, instance: Remembered): Promise<void> =>
      change(account, (known) =>
        known.some(({ id }) => id === instance.id)
          ? known.map((one) => (one.id === instance.id ? { ...one, name: instance.name } : one))
          : [...known, instance],
      ),
    /** One that was removed meanwhile stays removed. */
    rename: (account: AccountId, id: string, name: string): Promise<void> =>
      of(account).some((one) => one.id === id)
        ? change(account, (known) => known.map((one) => (one.id === id ? { ...one, name } : one)))
        : Promise.resolve(),
    drop: (account: AccountId, id: string): Promise<void> =>
      change(account, (known) => known.filter((one) => one.id !== id)),
    forgetAccount: (account: AccountId): Promise<void> => change(account, () => []),
  }
}
export type BareMetalMemory = ReturnType<typeof openBareMetalMemory>
