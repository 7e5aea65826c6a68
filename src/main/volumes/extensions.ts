import type { AccountId } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import type { VolumeType } from '#shared/service/region'
import type { Volume } from '#shared/service/volume'
import { pageSizes } from '#shared/page-sizes'
import type { Accounts } from '../accounts/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import { readAll } from '../core/read-all-pages'
import type { Service } from '../service/index'
import type { OnUnreadable } from '../service/read-records'

/** Calls beyond the specification (service-extensions.md). Each fails with not-offered-by-service. */
export interface VolumeExtensions {
  /** Whether the service may have a list of volumes: false once it is known to have none. */
  mayList(account: AccountId): boolean
  list(account: AccountId, page: PageQuery): Promise<Page<Volume>>
  types(account: AccountId, region: string, onUnreadable: OnUnreadable): Promise<readonly VolumeType[]>
  remove(account: AccountId, volume: string): Promise<void>
}

/**
 * Resolves if the volume still exists according to the service's list, or to its usage if there is no list: a volume is
 * billed from its creation (service-extensions.md). Fails with invalid-input (volume) and as the client does.
 */
async function verifyVolumeExists({ volumes, billing }: Service, id: string): Promise<void> {
  const listed = await readAll(volumes.list, pageSizes.resources).catch(() => undefined)
  const exists = listed
    ? listed.items.some((volume) => volume.id === id)
    : (await readAll(billing.usage, pageSizes.resources)).items.some(
        ({ resource, status }) => resource.id === id && status?.toLowerCase() !== 'terminated',
      )
  if (!exists) throw new FailureError({ kind: 'invalid-input', field: 'volume', reason: 'unknown' })
}

export const volumeExtensions = (
  accounts: Pick<Accounts, 'service'>,
  capabilities: Pick<CapabilitiesOfAccounts, 'capability' | 'shown' | 'using'>,
): VolumeExtensions => ({
  mayList: (account) => capabilities.capability(account, 'volume-list') !== 'no',
  list: (account, page) =>
    capabilities.using(account, 'volume-list', () => accounts.service(account).volumes.list(page)),
  // A 404 may concern only this region, so only a success is remembered.
  types: async (account, region, onUnreadable) => {
    const types = await accounts.service(account).volumeTypes.list(region, undefined, onUnreadable)
    capabilities.shown(account, 'volume-types')
    return types
  },
  remove: (account, volume) => {
    const service = accounts.service(account)
    return capabilities.using(
      account,
      'delete-volume',
      () => service.volumes.remove(volume),
      () => verifyVolumeExists(service, volume),
    )
  },
})
