import { createAccounts } from '../accounts/index'
import { createNetworkAccess } from '../network-access/index'
import { createCapabilities } from '../capabilities/index'
import type { Sections, SettingsStore } from '../store/settings'
import { createAppInfo } from './app-info'
import type { HostEnvironment } from './host-environment'
import { createPreferences } from './preferences'

/** The application, its accounts, and what their services offer. */
export function createAccountModules(
  host: HostEnvironment,
  { settings, documents }: { readonly settings: SettingsStore; readonly documents: Sections },
) {
  const { clock, online, keychain, reportError } = host
  const appInfo = createAppInfo(host.runtime, keychain, host.earlierCrash, clock)
  const preferences = createPreferences(settings)
  const networkAccess = createNetworkAccess({ ...host, settings, report: reportError })
  const accounts = createAccounts({
    fetch: host.fetch,
    freshFetch: host.freshFetch,
    heldUntil: networkAccess.heldUntil,
    keychain,
    documents,
    clock,
    loopbackOnly: host.runtime.loopbackOnly,
    firstPaint: appInfo.firstPaint,
    online,
    sandbox: host.sandbox,
  })
  const capabilities = createCapabilities({ accounts, settings, clock, report: reportError })
  return { appInfo, preferences, networkAccess, accounts, capabilities }
}
export type AccountModules = ReturnType<typeof createAccountModules>
