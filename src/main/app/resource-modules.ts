import type { AccountId } from '#shared/bridge/account'
import { createApiTokens } from '../api-tokens/index'
import { createBareMetal } from '../bare-metal/index'
import { createCatalog } from '../catalog/index'
import { createFlavorWatches } from '../catalog/watches'
import { createFleet } from '../fleet/index'
import { createMachineActions } from '../fleet/machine-actions'
import { createListViews } from '../list-views/index'
import { createNotes } from '../notes/index'
import { createReminders } from '../reminders/index'
import { createUsage } from '../usage/index'
import { volumeExtensions } from '../volumes/extensions'
import { createVolumes } from '../volumes/index'
import type { AccountModules } from './account-modules'
import type { ModuleParts } from './host-environment'

/** Builds one module per kind of resource, and the modules that store notes on resources and the state of lists. */
export function createResourceModules(parts: ModuleParts, { accounts, capabilities }: AccountModules) {
  const fleet = createFleet({ ...parts, accounts })
  const machineActions = createMachineActions({ accounts, capabilities, fleet })
  const bareMetal = createBareMetal({ ...parts, accounts })
  const catalog = createCatalog({
    ...parts,
    accounts,
    listRegions: (account, onUnreadable) =>
      capabilities.using(account, 'regions', () =>
        accounts.service(account).regions.list(undefined, onUnreadable),
      ),
  })
  const watches = createFlavorWatches({ ...parts, accounts, catalog })
  const usage = createUsage({ ...parts, accounts })
  const volumes = createVolumes({
    ...parts,
    accounts,
    usage,
    extensions: volumeExtensions(accounts, capabilities),
    regions: async (account) => {
      const { items } = await catalog.regions({ account, kind: 'machine' })
      return items.map(({ id, name }) => ({ id, name }))
    },
  })
  const apiTokens = createApiTokens({ ...parts, accounts, capabilities })
  const machine = (account: AccountId, id: string) => accounts.service(account).machines.get(id)
  const notes = createNotes({ ...parts, fleet, machine })
  const listViews = createListViews({ ...parts, accounts })
  const reminders = createReminders({ ...parts, fleet, machine })
  return {
    // First: due reminders appear at once, without waiting for the accounts to sign in.
    reminders,
    fleet,
    machineActions,
    bareMetal,
    catalog,
    watches,
    usage,
    volumes,
    apiTokens,
    notes,
    listViews,
  }
}
export type ResourceModules = ReturnType<typeof createResourceModules>
