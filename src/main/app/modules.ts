import { networkInterfaces } from 'node:os'
import { Settings } from '#shared/bridge/app'
import type { AccountId } from '#shared/bridge/account'
import type { SecretRef } from '#shared/bridge/secret'
import { translate } from '#shared/messages/index'
import { createAccounts } from '../accounts/index'
import { createApiTokens } from '../api-tokens/index'
import { createBareMetal } from '../bare-metal/index'
import { createCatalog } from '../catalog/index'
import { createFlavorWatches } from '../catalog/watches'
import { createCreation } from '../creation/index'
import { destinationOf, settledText } from '../creation/notice'
import { createFirewall } from '../firewall/index'
import { createCapabilities } from '../capabilities/index'
import { createFleet } from '../fleet/index'
import { createMachineActions } from '../fleet/machine-actions'
import { verifyVolumeExists } from '../fleet/verify-exists'
import { createMetrics } from '../metrics/index'
import { createMoneyModules } from './money-modules'
import { createNotes } from '../notes/index'
import { createReminders } from '../reminders/index'
import { reminderText } from '../reminders/notice'
import { createSsh } from '../ssh/index'
import { openSettings } from '../store/settings'
import { reportFault, type HostEnvironment } from './host-environment'
import { createVolumes } from '../volumes/index'

/** Builds the parts of the main process that need no Electron, and hands them to each other. */
export function createModules(around: HostEnvironment) {
  const { now, after, online, push, tell } = around
  const report = (action: string, error: unknown) => reportFault(action)(error)
  const settings = openSettings(around.userData)
  const preferences = settings.section('app', Settings)

  const accounts = createAccounts({
    fetch: around.fetch,
    freshFetch: around.freshFetch,
    keychain: around.keychain,
    settings,
    now,
    loopbackOnly: around.loopbackOnly,
    online,
    startSandbox: async (secret) => {
      if (secret.fresh) await Promise.all(sandboxAccounts().map(ssh.forgetAccount))
      return around.sandbox.start(secret)
    },
    onForget: async (account) => {
      if (sandboxAccounts().includes(account)) await around.sandbox.forget()
      for (const part of remembering) await part.forgetAccount(account)
    },
  })
  around.sandbox.onLost(() => void accounts.sandboxLost())
  const sandboxAccounts = () => accounts.view().accounts.flatMap(({ id, sandbox }) => (sandbox ? [id] : []))
  const fleet = createFleet({ accounts, now, after, online })
  const capabilities = createCapabilities({ accounts, settings, now, after, report })
  const catalog = createCatalog({
    accounts,
    now,
    listRegions: (account) =>
      capabilities.using(account, 'regions', () => accounts.service(account).regions.list()),
  })
  const watches = createFlavorWatches({ accounts, catalog, settings, now, after, online, report })
  const bareMetal = createBareMetal({ accounts, settings, now, after, online })
  const apiTokens = createApiTokens({ accounts, capabilities, now })
  const firewall = createFirewall({ accounts, settings, interfaces: networkInterfaces })
  const volumes = createVolumes({
    accounts,
    settings,
    extensions: {
      mayList: (account) => capabilities.capability(account, 'volume-list') !== 'no',
      list: (account, page) =>
        capabilities.using(account, 'volume-list', () => accounts.service(account).volumes.list(page)),
      // A 404 may mean this region alone: only what succeeds is remembered.
      types: async (account, region) => {
        const types = await accounts.service(account).volumeTypes.list(region)
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
    },
    regions: async (account) => (await catalog.regions({ account, kind: 'machine' })).items,
    now,
    after,
    online,
    report,
  })
  const ssh = createSsh({
    folder: around.userData,
    home: around.home,
    platform: around.platform,
    env: around.env,
    settings,
    terminal: () => preferences.read().terminal,
    machine: (account, id) => fleet.view(account, id) ?? bareMetal.view(account, id),
    defaults: (account) => accounts.sshDefaults(account),
    chooseFile: around.chooseFile,
  })
  const metrics = createMetrics({ accounts, chooseTarget: around.chooseTarget, now })
  const machineActions = createMachineActions({ accounts, capabilities, fleet })
  const notes = createNotes(settings)
  const reminders = createReminders({
    settings,
    now,
    after,
    nameOf: (account, machine) => fleet.view(account, machine)?.name,
    tell: (reminder) => {
      push('reminders.due', reminder)
      const { account, machine } = reminder
      tell(reminderText(reminder, translate), { page: 'machines', account, machine })
    },
    report,
  })
  const creation = createCreation({
    accounts,
    fleet: {
      view: fleet.view,
      known: (account) => fleet.snapshot(account)?.machines.map(({ id }) => id) ?? [],
      onChange: fleet.onChange,
      refresh: async (account) => fleet.handlers['fleet.refresh']({ account }),
    },
    settings,
    keys: { home: around.home, platform: around.platform, env: around.env },
    now,
    after,
    useIdentity: async (account, machine, identityFile) => {
      await ssh.configure(account, machine, { identityFile })
    },
    bareMetalCreated: bareMetal.created,
    settled: (created) => tell(settledText(created, translate), destinationOf(created)),
    report,
  })

  const { activity, balances, alerts, store, ledger, costs, moneyWatch, gpus, billing, exports } =
    createMoneyModules(around, { accounts, settings, capabilities, fleet, bareMetal, volumes, ssh, metrics })

  /** What keeps something per account, and forgets it with the account; costs last, since they hear of what the ledger drops. */
  const remembering = [
    ssh,
    capabilities,
    notes,
    reminders,
    creation,
    watches,
    bareMetal,
    volumes,
    alerts,
    billing,
    metrics,
    gpus,
    ledger,
    costs,
  ]
  /** What asks the service by itself: less often without a window, and not at all while the computer sleeps. */
  const followed = [fleet, watches, bareMetal, volumes, balances, costs, gpus, ledger]
  const closing = [
    fleet,
    reminders,
    capabilities,
    volumes,
    creation,
    watches,
    bareMetal,
    moneyWatch,
    alerts,
    balances,
    billing,
    gpus,
    costs,
    ledger,
    store,
    around.sandbox,
  ]

  return {
    settings,
    preferences,
    accounts,
    activity,
    alerts,
    balances,
    costs,
    fleet,
    gpus,
    ledger,
    store,
    capabilities,
    watches,
    bareMetal,
    volumes,
    ssh,
    notes,
    reminders,
    creation,
    handlers: {
      ...accounts.handlers,
      ...activity.handlers,
      ...alerts.handlers,
      ...balances.handlers,
      ...billing.handlers,
      ...capabilities.handlers,
      ...apiTokens.handlers,
      ...bareMetal.handlers,
      ...catalog.handlers,
      ...costs.handlers,
      ...creation.handlers,
      ...exports.handlers,
      ...firewall.handlers,
      ...fleet.handlers,
      ...ledger.handlers,
      ...gpus.handlers,
      ...machineActions.handlers,
      ...metrics.handlers,
      ...notes.handlers,
      ...reminders.handlers,
      ...ssh.handlers,
      ...store.handlers,
      ...watches.handlers,
      ...volumes.handlers,
    },
    /** The plain value of one secret. Fails where the resource is not known any more. */
    secret: (account: AccountId, secret: SecretRef): string | Promise<string> => {
      if (secret.kind === 'api-token') return apiTokens.secret(account, secret.token)
      const holder = bareMetal.view(account, secret.machine) ? bareMetal : fleet
      return holder.secret(account, secret)
    },
    windowChanged: (open: boolean): void => followed.forEach((part) => part.windowChanged(open)),
    wakeChanged: (awake: boolean): void => followed.forEach((part) => part.wakeChanged(awake)),
    /** Signs in whoever stays signed in, and goes on with what was under way when the application ended. */
    start: async (): Promise<void> => {
      reminders.start()
      await accounts.resume()
      // After the accounts, so that a locked keychain is asked for once. What is kept is shown without a sign-in too.
      if (accounts.view().accounts.length > 0) void store.open()
      await creation.resume()
      await volumes.resume()
    },
    close: (): void => closing.forEach((part) => part.close()),
  }
}

export type Parts = ReturnType<typeof createModules>
