import { translate } from '#shared/messages/index'
import { systemCalendar } from '#shared/money/calendar'
import type { Accounts } from '../accounts/index'
import { createActivity } from '../activity/index'
import { createAlerts } from '../alerts/index'
import { machineCosts } from '../alerts/machine-costs'
import { alertNotices, kindOf } from '../alerts/notice'
import { watchMoney } from '../alerts/watch'
import { createBalances } from '../balance/index'
import type { BareMetal } from '../bare-metal/index'
import { createBillingEntries } from '../billing/entries/index'
import { ledgerTotal } from '../billing/entries/ledger-total'
import { createExports } from '../billing/export/index'
import { createCosts } from '../billing/index'
import { createLedger } from '../billing/ledger/index'
import type { CapabilitiesOfAccounts } from '../capabilities/index'
import type { Fleet } from '../fleet/index'
import { createLastLists } from '../fleet/last-lists'
import { defineModule } from '../core/module'
import type { Network } from '../core/network'
import type { ListViewsModule } from '../list-views/index'
import { createGpus } from '../gpu/index'
import type { Loads } from '../metrics/loads'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import type { Store } from '../store/database'
import type { Sections } from '../store/settings'
import type { HostEnvironment } from './host-environment'
import type { Notifications } from '../notifications/index'
import type { AccountsUsage } from '../usage/index'
import type { Volumes } from '../volumes/index'
import { createWaste } from '../waste/index'

/** Sources of money and load. */
export interface MoneySources {
  readonly accounts: Accounts
  readonly capabilities: CapabilitiesOfAccounts
  readonly fleet: Fleet
  readonly bareMetal: BareMetal
  readonly volumes: Volumes
  readonly usage: AccountsUsage
  readonly sshMachines: SshMachines
  readonly consents: OpenConsents
  readonly loads: Loads
  readonly network: Network
  readonly listViews: Pick<ListViewsModule, 'viewsOf'>
}

/** Creates alerts that are shown as notifications and recorded as activity. */
function createNotifyingAlerts(
  deps: Pick<MoneySources, 'accounts'> &
    Pick<HostEnvironment, 'clock' | 'report'> & {
      readonly documents: Sections
      readonly activity: Pick<ReturnType<typeof createActivity>, 'add'>
    },
  { show, isMuted }: Pick<Notifications, 'show' | 'isMuted'>,
) {
  const { accounts, documents, activity, clock, report } = deps
  return createAlerts({
    documents,
    clock,
    notify: (account, begun) => {
      begun.forEach(({ cause, since }) => activity.add(account, { kind: 'alert', cause, since }))
      const label = accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
      const notified = begun.filter(({ cause }) => !isMuted(kindOf(cause)))
      for (const { kind, words, destination } of alertNotices(
        account,
        label,
        notified,
        translate,
        clock.now(),
      ))
        show(kind, words, destination)
    },
    report,
  })
}

/** Builds the modules of costs, use and alerts. */
export function createMoneyModules(
  host: HostEnvironment,
  {
    settings,
    documents,
    store,
  }: { readonly settings: Sections; readonly documents: Sections; readonly store: Store },
  sources: MoneySources,
  notifications: Pick<Notifications, 'show' | 'isMuted'>,
) {
  const { clock, online, report } = host
  const { now } = clock
  const { accounts, capabilities, fleet, bareMetal, usage, volumes, sshMachines, loads, network } = sources

  const activity = createActivity({ accounts, fleet, volumes, documents, clock, report })
  const balances = createBalances({ accounts, capabilities, clock, online })
  const alerts = createNotifyingAlerts({ accounts, documents, activity, clock, report }, notifications)

  // Nothing private is kept, and no key made, before there is an account.
  accounts.onChange(({ accounts: all }) => {
    if (all.some(({ state }) => state !== 'signed-out')) void store.open()
  })
  const timeZone = (): string => systemCalendar().timeZone
  const lastLists = createLastLists({ ...host, accounts, fleet, store, listViews: sources.listViews.viewsOf })
  const ledger = createLedger({ accounts, store, timeZone, clock, online, report })
  const costs = createCosts({
    accounts,
    usage,
    settings,
    balances,
    ledger,
    store,
    fleet,
    bareMetal,
    volumes,
    timeZone,
    clock,
    online,
    report,
  })
  const costsOf = machineCosts(costs.spending, report)
  const moneyWatch = watchMoney({
    accounts,
    alerts,
    balances,
    capabilities,
    fleet,
    spending: costs.spending,
    costsOf,
    pastKnown: () => store.state().kind !== 'opening',
    clock,
    report,
  })
  const gpus = createGpus({
    accounts,
    settings,
    store,
    sshMachines,
    consents: sources.consents,
    fleet,
    bareMetal,
    loads,
    alerts,
    costsOf,
    clock,
    network,
    report,
  })
  const waste = createWaste({
    accounts,
    capabilities,
    fleet,
    volumes,
    bareMetal,
    spending: costs.spending,
    idle: gpus.idle,
    documents,
    clock,
    report,
  })
  const billing = createBillingEntries({
    accounts,
    currencies: costs.currencies,
    remembered: (account) =>
      costs.history
        .all(account)
        .map(({ id, name, kind }) => ({ id, name, type: kind === 'machine' ? 'vm' : kind })),
    ledgerTotal: ledgerTotal({ store, ledger, currencies: costs.currencies }),
    now,
  })
  const exports = createExports({
    accounts,
    costs: costs.spending,
    entries: billing,
    chooseTarget: host.chooseTarget,
    showInFolder: host.showInFolder,
    printPdf: host.printPdf,
    now,
  })

  return {
    activity,
    balances,
    alerts,
    store: defineModule({
      ...store,
      // After the accounts, so that a locked keychain is asked for once. Stored data are shown without a sign-in too.
      start: (): void => {
        if (accounts.view().accounts.length > 0) void store.open()
      },
    }),
    // After the store, so that it writes before that is closed.
    lastLists,
    ledger,
    // After the ledger, which emits what it drops of an account.
    costs,
    moneyWatch,
    gpus,
    waste,
    billing,
    exports,
  }
}
