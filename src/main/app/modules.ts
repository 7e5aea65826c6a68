import { networkInterfaces } from 'node:os'
import type { AccountId } from '#shared/bridge/account'
import { translate } from '#shared/messages/index'
import { createPrices } from '../catalog/prices'
import { createCommands } from '../commands/index'
import { createKeptSessions } from '../commands/kept-sessions'
import { createCreation, isPending } from '../creation/index'
import { destinationOf, settledText } from '../creation/notice'
import { createEmitter } from '#shared/emitter'
import { joinModules } from '../core/join-modules'
import { createNetwork } from '../core/network'
import { createFiles } from '../files/index'
import type { GoneWhileClosedDeps } from '../fleet/gone-while-closed'
import { createFirewall } from '../firewall/index'
import type { NotificationRequest, ShowNotification } from '../core/notification'
import { createMetrics } from '../metrics/index'
import { createLoads } from '../metrics/loads'
import { aliasFileOf } from '../ssh/aliases/ssh-config-parser'
import { systemPlaces } from '../ssh/aliases/names-in-use'
import { createSshAliases } from '../ssh/aliases/index'
import { createAskpass } from '../ssh/askpass/index'
import { listKeys } from '../ssh/keys/key-list'
import { createEditors } from '../ssh/editors/index'
import { createSsh } from '../ssh/index'
import { createSshConsents, openConsents } from '../ssh/machines/consents'
import { createSshMachines } from '../ssh/machines/index'
import { createSshKeys } from '../ssh/keys/index'
import { createStore } from '../store/database'
import { createQuarantine } from '../store/quarantine'
import { openPrivateDocuments } from '../store/private-documents'
import type { SettingsStore } from '../store/settings'
import { createTerminals } from '../terminals/index'
import { createSessions } from '../terminals/open-session'
import { createTunnels } from '../tunnels/index'
import { createUpdates } from '../updates/index'
import { createAccountModules } from './account-modules'
import type { HostEnvironment } from './host-environment'
import { createMoneyModules } from './money-modules'
import { createResourceModules } from './resource-modules'
import { createSecrets, holderOf } from './secrets'

/**
 * Builds every module of the main process, each from those before it, and registers them. Nothing here needs Electron.
 * A module that is added here is registered; a row of the bridge contract that no module provides does not compile.
 */
export function createModules(host: HostEnvironment, settings: SettingsStore) {
  const { clock, online, home, platform, env, reportError: report } = host
  const notifications = createEmitter<NotificationRequest>()
  const showNotification: ShowNotification = (words, destination) =>
    notifications.emit({ words, destination })

  const store = createStore({ folder: host.userData, keychain: host.keychain, clock })
  const documents = openPrivateDocuments({ store, settings, report })
  const quarantine = createQuarantine({
    folder: host.userData,
    store,
    keychain: host.keychain,
    settings,
    chooseTarget: host.chooseTarget,
  })
  const accountModules = createAccountModules(host, { settings, documents })
  const { accounts, preferences } = accountModules
  const resources = createResourceModules(host, { settings, documents }, accountModules, showNotification)
  const { fleet, bareMetal } = resources

  const network = createNetwork({ clock, online, interfaces: networkInterfaces })
  const terminals = createTerminals({ loadPty: host.loadPty, clock, network, documents })
  const machineOf = (account: AccountId, id: string) => holderOf(resources, account, id).view(account, id)
  const askpass = createAskpass({
    folder: host.userData,
    platform,
    env,
    program: host.program,
    keychain: host.keychain,
    clock,
    documents,
    showNotification,
    report,
    password: (account, machine) =>
      machineOf(account, machine)?.hasPassword
        ? holderOf(resources, account, machine).secret(account, { kind: 'machine-password', machine })
        : null,
    keyPaths: async () => {
      const { keys } = await listKeys({ home, platform, env: {} })
      return keys.flatMap(({ path }) => path ?? [])
    },
  })
  const sshKeys = createSshKeys({
    askpass,
    folder: host.userData,
    documents,
    home,
    platform,
    env,
    machineName: (account, id) => machineOf(account, id)?.name,
  })
  const confirmsHostKeys = () => preferences.read().confirmsHostKeys ?? false
  const ssh = createSsh({
    hasPty: terminals.hasPty,
    keys: sshKeys,
    askpass,
    folder: host.userData,
    home,
    platform,
    env,
    settings,
    terminal: () => preferences.read().terminal,
    confirmsHostKeys,
    machine: machineOf,
    defaults: (account) => accounts.sshDefaults(account),
    chooseFile: host.chooseFile,
  })
  const sessions = createSessions({
    ssh,
    terminals,
    askpass,
    keys: sshKeys,
    home,
    platform,
    env,
    folder: host.userData,
  })
  const sshAliases = createSshAliases({
    settings,
    documents,
    accounts,
    ssh,
    keys: sshKeys,
    home,
    platform,
    env,
    report,
    confirmsHostKeys,
    system: systemPlaces(platform, env),
    fileName: aliasFileOf(host.userData, host.usualUserData),
    machines: (account) => {
      const read = fleet.snapshot(account)
      if (!read || read.status.asOf === null) return null
      const instances = bareMetal.views(account).filter(({ presence }) => presence !== 'gone')
      const unread = instances.filter(({ presence }) => presence === 'unread').map(({ id }) => id)
      return { machines: [...read.machines, ...instances], unread: new Set(unread) }
    },
    onChanges: [fleet.onChange, bareMetal.onChange, ssh.onReachChange, preferences.onChange],
    showInFolder: host.showInFolder,
  })
  const editors = createEditors({ home, platform, env, aliasOf: sshAliases.aliasOf })
  const overSsh = {
    accounts,
    ssh,
    clock,
    network,
    report,
    machine: machineOf,
    onMachines: (listener: (change: unknown) => void) => {
      const ends = [fleet.onChange(listener), bareMetal.onChange(listener)]
      return () => ends.forEach((end) => end())
    },
    onGone: fleet.onGone,
  }
  const details: GoneWhileClosedDeps['details'] = [
    (account, id) => accounts.service(account).machines.get(id),
    (account, id) => accounts.service(account).bareMetal.get(id),
  ]
  const consents = openConsents(settings)
  const sshConsents = createSshConsents({ ...overSsh, consents, fleet, details })
  const sshMachines = createSshMachines({ ...overSsh, documents, consents })
  const tunnels = createTunnels({
    ...overSsh,
    sshMachines,
    documents,
    fleet,
    openLocalPage: host.openLocalPage,
    details,
  })
  const files = createFiles({
    ...host,
    ...overSsh,
    sshMachines,
    consents,
    documents,
    outerLinks: () => preferences.read().outerLinks ?? 'ask',
  })
  const commands = createCommands({
    accounts,
    sshMachines,
    clock,
    machine: machineOf,
  })
  const keptSessions = createKeptSessions(commands, terminals.keptTitle)
  const loads = createLoads({ accounts, now: clock.now })
  const creation = createCreation({
    accounts,
    fleet: {
      view: fleet.view,
      known: (account) => fleet.snapshot(account)?.machines.map(({ id }) => id) ?? [],
      onChange: fleet.onChange,
      refresh: fleet.refresh,
    },
    documents,
    keys: { home, platform, env },
    clock,
    useIdentity: async (account, machine, identityFile) => {
      await ssh.configure(account, machine, { identityFile })
    },
    bareMetalCreated: bareMetal.created,
    settled: (created) => showNotification(settledText(created, translate), destinationOf(created)),
    report,
  })
  const confirmQuit = host.confirmQuit(() => ({
    transfers: files.unfinished(),
    terminals: terminals.unfinished(),
    forwards: tunnels.forwards().filter(({ state, saved }) => state.kind === 'open' && !saved),
  }))
  const updates = createUpdates({
    updates: host.updates(confirmQuit.end),
    settings,
    clock,
    report,
    heldBy() {
      if (accounts.view().accounts.some(({ id }) => isPending(creation.list(id)))) return 'creation'
      return files.unfinished().length > 0 ? 'transfers' : null
    },
  })
  const connections = {
    ssh,
    sshKeys,
    askpass,
    sshAliases,
    editors,
    terminals,
    sessions,
    sshConsents,
    sshMachines,
    tunnels,
    files,
    commands,
    keptSessions,
    creation,
    updates,
  }
  const money = createMoneyModules(
    host,
    { settings, documents, store },
    { ...accountModules, ...resources, ...connections, consents, loads, network },
    showNotification,
  )
  const { costs, gpus } = money
  const metrics = createMetrics({
    accounts,
    loads,
    chooseTarget: host.chooseTarget,
    online,
    ...clock,
    gpus: (...query) => gpus.history(...query).gpus,
  })
  const prices = createPrices({
    catalog: resources.catalog,
    currencyOf: costs.currencies.decide,
    onChange(listener) {
      costs.spending.onChange(({ account }) => listener(account))
      costs.currencies.onChange(listener)
    },
  })
  const firewall = createFirewall({
    accounts,
    documents,
    clock,
    interfaces: networkInterfaces,
    sshMachines,
  })
  const secrets = createSecrets({ clipboard: host.clipboard, ...resources, firewall })

  const figures = { ...money, metrics, prices, firewall, secrets }
  const modules = { quarantine, ...resources, ...accountModules, ...connections, ...figures }
  accounts.recogniseBy((account) => {
    const known = [...costs.history.all(account), ...(fleet.snapshot(account)?.machines ?? [])]
    const { kind } = store.state()
    const isReadable = store.file() !== undefined || kind === 'no-keychain' || kind === 'unsupported'
    return Promise.resolve(known.length > 0 || isReadable ? new Set(known.map(({ id }) => id)) : null)
  })
  const joined = joinModules(modules)
  accounts.beforeForget((account) => documents.forgetAccount(account, joined.forgetAccount))
  accounts.beforeNewSandbox((account: AccountId) => ssh.forgetAccount(account))

  return {
    ...joined,
    modules,
    onNotification: notifications.on,
    confirmQuit,
    async close(): Promise<void> {
      try {
        await joined.close()
      } finally {
        documents.close()
        host.sandbox.close()
      }
    },
  }
}

export type Modules = ReturnType<typeof createModules>['modules']
