import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { RegionRef } from '#shared/bridge/catalog'
import type { Sections } from '../store/settings'

/** What is known here of a volume and not reported by every service. Times are epoch seconds; null is unknown. */
export const RememberedVolume = z.object({
  displayName: z.string().nullable().default(null),
  name: z.string().nullable().default(null),
  /** GB */
  size: z.number().nullable().default(null),
  region: RegionRef.extend({ name: RegionRef.shape.name.default(null) }).default({ id: null, name: null }),
  bootable: z.boolean().nullable().default(null),
  description: z.string().nullable().default(null),
  currency: z.string().nullable().default(null),
  /** When it was created here. */
  createdAt: z.number().nullable().default(null),
  /** What was last done to it here: attached to this machine, or detached (null), and when. */
  attachment: z.object({ machine: z.string().nullable(), at: z.number() }).nullable().default(null),
  /** The last status that an answer reported, and when. */
  reported: z.object({ status: z.string(), at: z.number() }).nullable().default(null),
  /** The service was seen to charge for it. */
  billed: z.boolean().default(false),
})
export type RememberedVolume = z.infer<typeof RememberedVolume>

export type Remembered = Readonly<Record<string, RememberedVolume>>

const OfAccount = z.object({
  volumes: z.record(z.string(), RememberedVolume).default({}),
  /** Volume types that the person typed, by the id of their region. */
  types: z.record(z.string(), z.string()).default({}),
})
type OfAccount = z.infer<typeof OfAccount>

const VolumeSettings = z.object({ accounts: z.record(z.string(), OfAccount).default({}) })

export const unremembered: RememberedVolume = RememberedVolume.parse({})

/** With what is private of it, where only `known` has that. */
export function named<One extends Pick<RememberedVolume, (typeof privateVolumeFields)[number]>>(
  one: One,
  known: RememberedVolume | undefined,
): One {
  const { displayName, name, description } = known ?? unremembered
  return {
    ...one,
    displayName: one.displayName ?? displayName,
    name: one.name ?? name,
    description: one.description ?? description,
  }
}

// Ids come from outside: `constructor` is a name like any other.
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

export const rememberedOf = (volumes: Remembered, id: string): RememberedVolume | undefined =>
  own(volumes, id)

/** What is private of a volume: without the store it is known until the application is quit. */
export const privateVolumeFields = ['displayName', 'name', 'description'] as const

/** The section `volumes`. Every change fails with local-fault where it does not get to the disk. */
export function openMemory(documents: Sections) {
  const section = documents.section('volumes', VolumeSettings, privateVolumeFields)
  const read = (account: AccountId): OfAccount =>
    own(section.read().accounts, account) ?? { volumes: {}, types: {} }
  const change = async (account: AccountId, update: (value: OfAccount) => OfAccount): Promise<void> => {
    await section.change(({ accounts }) => ({ accounts: { ...accounts, [account]: update(read(account)) } }))
  }
  return {
    /** Names came in. */
    onLoad: section.onLoad,
    volumes: (account: AccountId): Remembered => read(account).volumes,
    /** Changes what is known of these volumes; one that is not known yet starts from nothing. */
    update: (
      account: AccountId,
      ids: readonly string[],
      update: (value: RememberedVolume) => RememberedVolume,
    ): Promise<void> =>
      change(account, (value) => ({
        ...value,
        volumes: {
          ...value.volumes,
          ...Object.fromEntries(ids.map((id) => [id, update(own(value.volumes, id) ?? unremembered)])),
        },
      })),
    /** A name that came in while `volumes` were put together stays known. */
    replace: (account: AccountId, volumes: Remembered): Promise<void> =>
      change(account, (value) => ({
        ...value,
        volumes: Object.fromEntries(
          Object.entries(volumes).map(([id, one]) => [id, named(one, own(value.volumes, id))]),
        ),
      })),
    forget: (account: AccountId, volume: string): Promise<void> =>
      change(account, (value) => ({
        ...value,
        volumes: Object.fromEntries(Object.entries(value.volumes).filter(([id]) => id !== volume)),
      })),
    typeOf: (account: AccountId, region: string): string | undefined => own(read(account).types, region),
    rememberType: (account: AccountId, region: string, type: string): Promise<void> =>
      change(account, (value) => ({ ...value, types: { ...value.types, [region]: type } })),
    forgetAccount: async (account: AccountId): Promise<void> => {
      await section.change(({ accounts }) => ({
        accounts: Object.fromEntries(Object.entries(accounts).filter(([id]) => id !== account)),
      }))
    },
  }
}
export type VolumeMemory = ReturnType<typeof openMemory>
