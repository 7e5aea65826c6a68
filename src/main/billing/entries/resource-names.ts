import type { AccountId } from '#shared/bridge/account'
import type { BilledResource } from '#shared/bridge/billing'
import { bareMetalType, billedType, type Usage } from '#shared/service/billing'
import type { Clock } from '../../core/clock'
import { type EntryContext, resourceOf } from './views'
import type { ListPage } from '../../core/read-range'
import { sweep } from './sweep'
import { isRecent } from '../../core/elapsed'
import { singleFlight } from '../../core/single-flight'

export interface ResourceNamesDeps {
  usage(account: AccountId): ListPage<Usage>
  /** Returns known resources, including those that the service no longer lists. */
  remembered(account: AccountId): readonly Omit<BilledResource, 'ended'>[]
  readonly now: Clock['now']
}

/** Seconds before the next request for an unknown resource. */
const pause = 60

interface Known {
  readonly resources: Map<string, BilledResource>
  readAt: number
  read(): Promise<void>
}

/**
 * Names of all resources that were ever billed. A statement has only an id; usage names each resource, even long
 * after its end.
 */
export function createResourceNames({ usage, remembered, now }: ResourceNamesDeps) {
  const accounts = new Map<AccountId, Known>()

  function of(account: AccountId): Known {
    const found = accounts.get(account)
    if (found) return found
    const known: Known = {
      resources: new Map(),
      readAt: -Infinity,
      read: singleFlight(() => read(account, known)),
    }
    accounts.set(account, known)
    return known
  }

  async function read(account: AccountId, known: Known): Promise<void> {
    const query = { sortField: 'created_time', sortOrder: 'desc' as const, filters: [] }
    for await (const page of sweep(usage(account), query)) {
      for (const entry of page) known.resources.set(entry.resource.id, resourceOf(entry, null))
    }
    known.readAt = now()
  }

  /** Reads usage once at a time, and not again soon. Fails as the client does. */
  async function refresh(account: AccountId): Promise<void> {
    const known = of(account)
    if (!isRecent(known.readAt, pause, now())) await known.read()
  }

  const rememberedNow = (account: AccountId): ReadonlyMap<string, BilledResource> =>
    new Map(remembered(account).map((resource) => [resource.id, { ...resource, ended: null }]))
  const knownHere = (account: AccountId): Pick<EntryContext, 'nameOf' | 'isBareMetal'> => {
    const here = rememberedNow(account)
    return {
      nameOf: (id) => here.get(id)?.name ?? null,
      isBareMetal: (id) => here.get(id)?.type === bareMetalType,
    }
  }

  return {
    /** Returns the known properties of resources. Reads usage first if a resource is unknown. */
    async knowledge(
      account: AccountId,
      ids: readonly string[],
    ): Promise<Pick<EntryContext, 'nameOf' | 'hasEnded' | 'isBareMetal'>> {
      const { resources } = of(account)
      const { nameOf, isBareMetal } = knownHere(account)
      // A charge without a name is better than no charge.
      if (ids.some((id) => !resources.has(id) && nameOf(id) === null))
        await refresh(account).catch(() => undefined)
      return {
        nameOf: (id) => resources.get(id)?.name ?? nameOf(id),
        hasEnded: (id) => resources.get(id)?.ended ?? null,
        isBareMetal,
      }
    },
    remembered: knownHere,
    /** Records entries of usage that were read for another reason. */
    learn(account: AccountId, entries: readonly Usage[]): void {
      const { resources } = of(account)
      for (const entry of entries) resources.set(entry.resource.id, resourceOf(entry, null))
    },
    /** Returns all known resources. Fails as the client does. */
    async all(account: AccountId): Promise<readonly BilledResource[]> {
      await refresh(account)
      const { isBareMetal } = knownHere(account)
      const all = [...new Map([...rememberedNow(account), ...of(account).resources]).values()]
      return all.map((resource) => ({
        ...resource,
        type: billedType(resource.type, isBareMetal(resource.id)),
      }))
    },
    forgetAccount(account: AccountId): void {
      accounts.delete(account)
    },
  }
}
