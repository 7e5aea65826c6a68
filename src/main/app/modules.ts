import { networkInterfaces } from 'node:os'
import type { AccountId } from '#shared/bridge/account'
import { translate } from '#shared/messages/index'
import { createAgents } from '../agents/index'
import { createArmedCreations } from '../armed-creations/index'
import { createPrices } from '../catalog/prices'
import type { CreationDeps } from '../creation/deps'
import { createCreation, type CreationModule, isPending } from '../creation/index'
import { createInitScripts } from '../creation/init-scripts'
import { destinationOf, settledText } from '../creation/notice'
import { joinModules } from '../core/join-modules'
import { createNetwork } from '../core/network'
import { machineCosts } from '../alerts/machine-costs'
import { createEndRules, type EndRules } from '../end-rules/index'
import { createFirewall, type Firewall } from '../firewall/index'
import { createJobs, type Jobs, type JobsDeps } from '../jobs/index'
import { createLastLook, type LastLooks } from '../last-look/index'
import { createMetrics } from '../metrics/index'
import { createLoads } from '../metrics/loads'
import { createNotifications } from '../notifications/index'
import { webhookLimits } from '../notifications/webhook'
import { createStore } from '../store/database'
import { createQuarantine } from '../store/quarantine'
import { openPrivateDocuments } from '../store/private-documents'
import type { SettingsStore } from '../store/settings'
import { openPlans, type PlanBook } from '../templates/plan-book'
import { createTemplates } from '../templates/index'
import { createMachinePlans, type MachinePlansDeps } from '../templates/plans'
import { createLoginItem } from '../login-item/index'
import { createUpdates } from '../updates/index'
import { type AccountModules, createAccountModules } from './account-modules'
import { createConnectionModules } from './connection-modules'
import type { HostEnvironment, ModuleParts } from './host-environment'
import { createMoneyModules } from './money-modules'
import { createResourceModules, type ResourceModules } from './resource-modules'
import { createSecrets, holderOf } from './secrets'

/** Builds the module of notifications. Its requests use the user's proxy and certificates. */
const notificationsOf = (
  parts: Omit<ModuleParts, 'showNotification'>,
  { preferences, networkAccess }: Pick<AccountModules, 'preferences' | 'networkAccess'>,
) =>
  createNotifications({
    ...parts,
    preferences: preferences.read,
    openStore: parts.store.open,
    loopbackOnly: parts.runtime.loopbackOnly,
    transport: {
      fetch: parts.fetch,
      freshFetch: parts.freshFetch,
      heldUntil: networkAccess.heldUntil,
      online: parts.online,
      now: parts.clock.now,
      ...webhookLimits,
    },
  })

/** Builds the module that ends machines automatically: it needs the machines, their costs and SSH. */
const endRulesOf = (
  parts: ModuleParts,
  {
    accounts,
    costs,
    fleet,
    gpus,
    jobs,
    lastLook,
    machineActions,
  }: Pick<AccountModules, 'accounts'> &
    Pick<ResourceModules, 'fleet' | 'machineActions'> &
    Pick<ReturnType<typeof createMoneyModules>, 'costs' | 'gpus'> & {
      readonly jobs: Jobs
      readonly lastLook: LastLooks
    },
) =>
  createEndRules({
    ...parts,
    fleet,
    machine: (account, id) => accounts.service(account).machines.get(id),
    actions: machineActions,
    look: lastLook.look,
    idleSince: gpus.idle.gpusIdleSince,
    jobEnd: jobs.endOf,
    costsOf: machineCosts(costs.spending, parts.report),
  })

/** Builds the module that adds prices to flavors, in the currency of the account. */
const pricesOf = (
  catalog: ResourceModules['catalog'],
  { currencies, spending }: ReturnType<typeof createMoneyModules>['costs'],
) =>
  createPrices({
    catalog,
    currencyOf: currencies.decide,
    onChange(listener) {
      spending.onChange(({ account }) => listener(account))
      currencies.onChange(listener)
    },
  })

/** Builds the module that creates machines, and connects to them once they run. */
const creationOf = (
  parts: ModuleParts,
  {
    bareMetal,
    book,
    fleet,
    notifications,
    ssh,
    ...sources
  }: Pick<AccountModules, 'accounts'> &
    Pick<ResourceModules, 'bareMetal' | 'fleet'> &
    Pick<ReturnType<typeof createConnectionModules>, 'consents'> &
    Pick<ReturnType<typeof createConnectionModules>['modules'], 'ssh' | 'sshMachines'> &
    Pick<CreationDeps, 'initScripts' | 'machine'> & {
      readonly book: PlanBook
      readonly notifications: ReturnType<typeof notificationsOf>
    },
) =>
  createCreation({
    ...parts,
    ...sources,
    isSshOrdered: book.allowsSsh,
    fleet: {
      view: fleet.view,
      known: (account) => fleet.snapshot(account)?.machines.map(({ id }) => id) ?? [],
      onChange: fleet.onChange,
      refresh: fleet.refresh,
    },
    keys: parts,
    onBareMetal: bareMetal.onChange,
    useIdentity: async (account, id, identityFile) => {
      await ssh.configure(account, id, { identityFile })
    },
    bareMetalCreated: bareMetal.created,
    settled: (created) =>
      notifications.show(
        'creation',
        settledText(created, translate, book.holdsCommands(created)),
        destinationOf(created),
      ),
  })

/** Builds the module of creations that wait for stock. */
const armedCreationsOf = (
  parts: ModuleParts,
  {
    catalog,
    creation,
    networkAccess,
    prices,
    watches,
  }: Pick<ResourceModules, 'catalog' | 'watches'> &
    Pick<AccountModules, 'networkAccess'> & {
      readonly creation: CreationModule
      readonly prices: ReturnType<typeof createPrices>
    },
) =>
  createArmedCreations({
    ...parts,
    flavors: prices.flavors,
    onFlavors: catalog.onFlavors,
    priced: prices.priced,
    alsoRead: watches.alsoRead,
    creations: creation.list,
    drafts: creation.drafts,
    flush: () => parts.store.file() === undefined || parts.store.checkpoint(),
    isHeld: () => networkAccess.heldUntil() > parts.clock.now(),
    create({ id: request, account, order, identityFile }, beforeSending, signal) {
      const shared = { request, account, again: [], identityFile }
      return order.kind === 'machine'
        ? creation.createMachine({ ...shared, machine: order.machine }, beforeSending, signal)
        : creation.createBareMetal({ ...shared, machine: order.machine }, beforeSending, signal)
    },
  })

/** Builds the module that does the work of templates on new machines. */
const machinePlansOf = (
  parts: ModuleParts,
  {
    accounts,
    armedCreations,
    book,
    consents,
    creation,
    endRules,
    firewall,
    fleet,
    jobs,
    ssh,
    volumes,
  }: Pick<AccountModules, 'accounts'> &
    Pick<ResourceModules, 'fleet' | 'volumes'> &
    Pick<ReturnType<typeof createConnectionModules>, 'consents'> &
    Pick<ReturnType<typeof createConnectionModules>['modules'], 'ssh'> & {
      readonly armedCreations: ReturnType<typeof createArmedCreations>
      readonly creation: CreationModule
      readonly endRules: EndRules
      readonly firewall: Firewall
      readonly jobs: Jobs
      readonly book: PlanBook
    },
) => {
  const deps: MachinePlansDeps = {
    ...parts,
    book,
    fleet,
    machine: (account, id) => accounts.service(account).machines.get(id),
    creations: creation.list,
    onCreations: creation.onChange,
    isFollowed: creation.isFollowed,
    isArmed: armedCreations.isArmed,
    configureSsh: ssh.configure,
    allowSsh: consents.answer,
    armEnd: endRules.arm,
    hasRule: firewall.hasRule,
    addRule: firewall.add,
    findRule: firewall.find,
    attach: ({ account, machine, volumes: ids }) => volumes.attach(account, machine, ids),
    findVolumes: ({ account, machine, volumes: ids, wanted }) =>
      volumes.lookUp(account, machine, ids, wanted),
    startJob: (account, id, command, use) =>
      jobs.watch({ account, machine: id, target: { kind: 'command', command } }, use),
  }
  return createMachinePlans(deps)
}

/** Builds the module of coding agents: they use machines, creations, their plans and automatic ends. */
const agentsOf = (
  parts: ModuleParts,
  {
    accounts,
    book,
    creation,
    endRules,
    fleet,
    jobs,
    lastLook,
    machineActions,
    prices,
  }: Pick<AccountModules, 'accounts'> &
    Pick<ResourceModules, 'fleet' | 'machineActions'> & {
      readonly book: PlanBook
      readonly creation: CreationModule
      readonly endRules: EndRules
      readonly jobs: Jobs
      readonly lastLook: LastLooks
      readonly prices: ReturnType<typeof createPrices>
    },
) =>
  createAgents({
    ...parts,
    flavors: async (account) => {
      const { items } = await prices.flavors({ account, kind: 'machine' })
      return items
    },
    create: creation.createMachine,
    plans: book,
    onCreations: creation.onChange,
    fleet,
    onGone: fleet.onGone,
    machine: (account, id) => accounts.service(account).machines.get(id),
    actions: machineActions,
    ends: endRules,
    jobs,
    look: lastLook.look,
  })

/** Builds the modules that watch jobs and look at machines: they need SSH, the costs of machines and their idle GPUs. */
function watchersOf(
  parts: ModuleParts,
  {
    fleet,
    bareMetal,
    costs,
    gpus,
    ...sources
  }: Pick<ResourceModules, 'fleet' | 'bareMetal'> &
    Pick<JobsDeps, 'sshMachines' | 'consents' | 'details' | 'machine'> &
    Pick<ReturnType<typeof createMoneyModules>, 'costs' | 'gpus'>,
) {
  const jobs = createJobs({
    ...parts,
    ...sources,
    fleet,
    onGone: fleet.onGone,
    idleSince: gpus.idle.gpusIdleSince,
    costsOf: machineCosts(costs.spending, parts.report),
    destination: (account, id) =>
      bareMetal.view(account, id)
        ? { page: 'bare-metal', account, instance: id }
        : { page: 'machines', account, machine: id, tab: 'jobs' },
  })
  return { jobs, lastLook: createLastLook({ ...parts, ...sources, runningJobs: jobs.runningOn }) }
}

/** Returns the unfinished work that an update must not interrupt; null if there is none. */
function reasonToStay(
  accounts: AccountModules['accounts'],
  creation: Pick<CreationModule, 'list'>,
  files: Pick<ReturnType<typeof createConnectionModules>['modules']['files'], 'unfinished'>,
): 'creation' | 'transfers' | null {
  if (accounts.view().accounts.some(({ id }) => isPending(creation.list(id)))) return 'creation'
  return files.unfinished().length > 0 ? 'transfers' : null
}

/**
 * Builds every module of the main process from earlier ones, and registers them. Needs no Electron. A row of the
 * bridge contract that no module provides does not compile.
 */
export function createModules(host: HostEnvironment, settings: SettingsStore) {
  const store = createStore(host)
  const documents = openPrivateDocuments({ ...host, store, settings })
  const network = createNetwork({ ...host, interfaces: networkInterfaces })
  const basis = { ...host, settings, store, documents, network }
  const accountModules = createAccountModules(basis)
  const notifications = notificationsOf(basis, accountModules)
  const parts: ModuleParts = { ...basis, showNotification: notifications.show }

  const quarantine = createQuarantine(parts)
  const loginItem = createLoginItem(parts)
  const { accounts } = accountModules
  const resources = createResourceModules(parts, accountModules)
  const { fleet, bareMetal } = resources
  const overSsh = createConnectionModules(parts, accountModules, resources)
  const { modules: connections, consents } = overSsh
  const { ssh, sshMachines, files, terminals, tunnels } = connections
  const machine = (account: AccountId, id: string) => holderOf(resources, account, id).view(account, id)
  const loads = createLoads({ accounts, now: host.clock.now })
  const book = openPlans(documents)
  const details = (account: AccountId, id: string) => accounts.service(account).machines.get(id)
  const initScripts = createInitScripts({ ...parts, fleet, machine: details })
  const creation = creationOf(parts, {
    accounts,
    bareMetal,
    book,
    consents,
    fleet,
    initScripts,
    machine,
    notifications,
    ssh,
    sshMachines,
  })
  const confirmQuit = host.confirmQuit(() => ({
    transfers: files.unfinished(),
    terminals: terminals.unfinished(),
    forwards: tunnels.forwards().filter(({ state, saved }) => state.kind === 'open' && !saved),
  }))
  const updates = createUpdates({
    ...parts,
    updates: host.updates(confirmQuit.end),
    heldBy: () => reasonToStay(accounts, creation, files),
  })
  const money = createMoneyModules(
    host,
    parts,
    { ...accountModules, ...resources, sshMachines, consents, loads, network },
    notifications,
  )
  const { costs, gpus } = money
  const watchers = watchersOf(parts, { ...overSsh, fleet, bareMetal, sshMachines, machine, costs, gpus })
  const endRules = endRulesOf(parts, { ...resources, ...money, ...watchers, accounts })
  const metrics = createMetrics({
    ...parts,
    ...host.clock,
    accounts,
    loads,
    gpus: (...query) => gpus.history(...query).gpus,
  })
  const prices = pricesOf(resources.catalog, costs)
  const armedCreations = armedCreationsOf(parts, { ...accountModules, ...resources, creation, prices })
  const joint = { ...resources, ...connections, ...watchers, accounts, creation, endRules, prices, book }
  const agents = agentsOf(parts, joint)
  const firewall = createFirewall({ ...parts, accounts, interfaces: networkInterfaces, sshMachines })
  const secrets = createSecrets({ ...parts, ...resources, firewall })
  const templates = createTemplates({ ...parts, initScripts })
  const machinePlans = machinePlansOf(parts, { ...joint, armedCreations, consents, firewall })

  const modules = {
    quarantine,
    notifications,
    loginItem,
    ...resources,
    ...accountModules,
    ...connections,
    creation,
    initScripts,
    armedCreations,
    updates,
    ...money,
    // Before automatic ends and agents, which use them until they close.
    ...watchers,
    endRules,
    agents,
    metrics,
    prices,
    firewall,
    secrets,
    templates,
    machinePlans,
  }
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
