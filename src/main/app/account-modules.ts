import { createAccounts } from '../accounts/index'
import { createNetworkAccess } from '../network-access/index'
import { createCapabilities } from '../capabilities/index'
import { createAppInfo } from './app-info'
import type { ModuleParts } from './host-environment'
import { createPreferences } from './preferences'

export function createAccountModules(parts: Omit<ModuleParts, 'showNotification'>) {
  const appInfo = createAppInfo(parts)
  const preferences = createPreferences(parts.settings)
  const networkAccess = createNetworkAccess(parts)
  const accounts = createAccounts({
    ...parts,
    heldUntil: networkAccess.heldUntil,
    loopbackOnly: parts.runtime.loopbackOnly,
    firstPaint: appInfo.firstPaint,
  })
  const capabilities = createCapabilities({ ...parts, accounts })
  return { appInfo, preferences, networkAccess, accounts, capabilities }
}
export type AccountModules = ReturnType<typeof createAccountModules>
