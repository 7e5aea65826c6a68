import type { AccountId } from '#shared/bridge/account'
import { createApiTokens } from '../api-tokens/index'
import { createBareMetal } from '../bare-metal/index'
import { createCatalog } from '../catalog/index'
import { createFlavorWatches } from '../catalog/watches'
import type { ShowNotification } from '../core/notification'
import { createFleet } from '../fleet/index'
import { createMachineActions } from '../fleet/machine-actions'
import { createNotes } from '../notes/index'
import { createReminders } from '../reminders/index'
import type { Sections } from '../store/settings'
import { createUsage } from '../usage/index'
import { volumeExtensions } from '../volumes/extensions'
import { createVolumes } from '../volumes/index'
import type { AccountModules } from './account-modules'
import type { HostEnvironment } from './host-environment'

/** What the services' resources are, each kind in a module of its own, and what is kept here about them. */
export function createResourceModules(
  host: HostEnvironment,
  { settings, documents }: { readonly settings: Sections; readonly documents: Sections },
  { accounts, capabilities }: AccountModules,
  showNotification: ShowNotification,
) {
  const { clock, online, reportError: report } = host
  const fleet = createFleet({ accounts, clock, online })
  const machineActions = createMachineActions({ accounts, capabilities, fleet })
  const bareMetal = createBareMetal({ accounts, documents, clock, online })
  const catalog = createCatalog({
    accounts,
    clock,
    online,
    listRegions: (account, onUnreadable) =>
      capabilities.using(account, 'regions', () =>
        accounts.service(account).regions.list(undefined, onUnreadable),
      ),
  })
  const watches = createFlavorWatches({
    accounts,
    catalog,
    settings,
    clock,
    online,
    showNotification,
    report,
  })
  const usage = createUsage({ accounts, clock })
  const volumes = createVolumes({
    accounts,
    usage,
    documents,
    extensions: volumeExtensions(accounts, capabilities),
    regions: async (account) => (await catalog.regions({ account, kind: 'machine' })).items,
    clock,
    online,
    report,
  })
  const apiTokens = createApiTokens({ accounts, capabilities, clock, online })
  const machine = (account: AccountId, id: string) => accounts.service(account).machines.get(id)
  const notes = createNotes({ documents, fleet, machine, report })
  const reminders = createReminders({
    documents,
    clock,
    fleet,
    machine,
    showNotification,
    report,
  })
  return {
    // First: what is due is shown at once, without waiting for the accounts to sign in.
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
  }
}
