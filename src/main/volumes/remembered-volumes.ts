import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { RegionRef } from '#shared/bridge/catalog'
import type { Sections } from '../store/settings'

/** Facts about a volume that not every service reports. Times are epoch seconds; null is unknown. */
export const RememberedVolume = z.object({
  displayName: z.string().nullable().default(null),
  name: z.string().nullable().default(null),
  /** GB */
  size: z.number().nullable().default(null),
  region: RegionRef.extend({ name: RegionRef.shape.name.default(null) }).default({ id: null, name: null }),
  bootable: z.boolean().nullable().default(null),
  description: z.string().nullable().default(null),
  currency: z.string().nullable().default(null),
  createdAt: z.number().nullable().default(null),
  /**
   * Last action here: attached to this machine, or detached (null). `isLost`: the volume was not observed without a gap
   * since then, so it may be attached to another machine.
   */
  attachment: z
    .object({ machine: z.string().nullable(), at: z.number(), isLost: z.boolean().default(false) })
    .nullable()
    .default(null),
  reported: z.object({ status: z.string(), at: z.number() }).nullable().default(null),
  billed: z.boolean().default(false),
})
export type RememberedVolume = z.infer<typeof RememberedVolume>

export type Remembered = Readonly<Record<string, RememberedVolume>>

const OfAccount = z.object({
  volumes: z.record(z.string(), RememberedVolume).default({}),
  /** Volume types that the user entered, by region id. */
  types: z.record(z.string(), z.string()).default({}),
})
type OfAccount = z.infer<typeof OfAccount>

const VolumeSettings = z.object({ accounts: z.record(z.string(), OfAccount).default({}) })

export const unremembered: RememberedVolume = RememberedVolume.parse({})

export function named<Fields extends Pick<RememberedVolume, (typeof privateVolumeFields)[number]>>(
  fields: Fields,
  known: RememberedVolume | undefined,
): Fields {
  const { displayName, name, description } = known ?? unremembered
  return {
    ...fields,
    displayName: fields.displayName ?? displayName,
    name: fields.name ?? name,
    description: fields.description ?? description,
  }
}

// Ids come from the service and may equal a property such as `constructor`.
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

export const rememberedOf = (volumes: Remembered, id: string): RememberedVolume | undefined =>
  own(volumes, id)

/** Private fields: without the store they last until the application quits. */
export const privateVolumeFields = ['displayName', 'name', 'description'] as const

/** Opens the section `volumes`. Every change fails with local-fault if the disk refuses. */
export function openMemory(documents: Sections) {
  const section = documents.section('volumes', VolumeSettings, privateVolumeFields)
  const read = (account: AccountId): OfAccount =>
    own(section.read().accounts, account) ?? { volumes: {}, types: {} }
  const change = async (account: AccountId, update: (value: OfAccount) => OfAccount): Promise<void> => {
    await section.change(({ accounts }) => ({ accounts: { ...accounts, [account]: update(read(account)) } }))
  }
  return {
    /** Emits when names were loaded. */
    onLoad: section.onLoad,
    volumes: (account: AccountId): Remembered => read(account).volumes,
    /** Updates these volumes; unknown ones start from `unremembered`. */
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
    /** Replaces all volumes, but keeps names that were loaded since `volumes` was built. */
    replace: (account: AccountId, volumes: Remembered): Promise<void> =>
      change(account, (value) => ({
        ...value,
        volumes: Object.fromEntries(
          Object.entries(volumes).map(([id, volume]) => [id, named(volume, own(value.volumes, id))]),
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
