import type { activityEvents } from '#shared/bridge/activity'
import type { alertEvents } from '#shared/bridge/alert'
import type { balanceEvents } from '#shared/bridge/balance'
import type { billingEvents } from '#shared/bridge/billing'
import type { costEvents } from '#shared/bridge/cost'
import type { EventPayload } from '#shared/bridge/index'
import type { ledgerEvents, storeEvents } from '#shared/bridge/store'
import { translate } from '#shared/messages/index'
import type { Accounts } from '../accounts/index'
import { createActivity } from '../activity/index'
import { createAlerts } from '../alerts/index'
import { machineCosts } from '../alerts/machine-costs'
import { alertNotices } from '../alerts/notice'
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
import { createEmitter } from '../core/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import { createGpus } from '../gpu/index'
import type { MachineMetrics } from '../metrics/index'
import type { Ssh } from '../ssh/index'
import { createStore } from '../store/database'
import type { SettingsStore } from '../store/settings'
import type { HostEnvironment } from './host-environment'
import type { Volumes } from '../volumes/index'

/** What money and load are reckoned from. */
export interface MoneySources {
  readonly accounts: Accounts
  readonly capabilities: CapabilitiesOfAccounts
  readonly fleet: Fleet
  readonly bareMetal: BareMetal
  readonly volumes: Volumes
  readonly ssh: Ssh
  readonly metrics: MachineMetrics
}

/** Builds the modules that know what things cost, whether they are used, and when the person must be notified. */
export function createMoneyModules(
  host: HostEnvironment,
  settings: SettingsStore,
  sources: MoneySources,
  showNotification: ShowNotification,
) {
  const { clock, online, reportError: report } = host
  const { now, after } = clock
  const { accounts, capabilities, fleet, bareMetal, volumes, ssh, metrics } = sources

  const activity = createActivity({ accounts, fleet, volumes, now })
  const balances = createBalances({ accounts, capabilities, now, after, online })
  const alerts = createAlerts({
    settings,
    now,
    after,
    tell: (account, begun) => {
      begun.forEach(({ cause, since }) => activity.add(account, { kind: 'alert', cause, since }))
      const label = accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
      for (const { words, destination } of alertNotices(account, label, begun, translate, now()))
        showNotification(words, destination)
    },
    report,
  })

  const store = createStore({ folder: host.userData, keychain: host.keychain, after })
  // Nothing private is kept, and no key made, before there is an account.
  accounts.onChange(({ accounts: all }) => {
    if (all.some(({ state }) => state === 'signed-in')) void store.open()
  })
  const ledger = createLedger({ accounts, store, now, after, online, report })
  const costs = createCosts({
    accounts,
    settings,
    ledger,
    store,
    fleet,
    bareMetal,
    volumes,
    timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    now,
    after,
    online,
    report,
  })
  const moneyWatch = watchMoney({
    accounts,
    alerts,
    balances,
    capabilities,
    fleet,
    spending: costs.spending,
    costsOf: machineCosts(costs.handlers, report),
    pastKnown: () => store.state().kind !== 'opening',
    now,
    after,
    report,
  })
  const gpus = createGpus({
    accounts,
    settings,
    store,
    ssh,
    fleet,
    bareMetal,
    loads: metrics.loads,
    alerts,
    costsOf: machineCosts(costs.handlers, report),
    clock,
    online,
    report,
  })
  const progressEvents = createEmitter<EventPayload<'billing.progress'>>()
  const progress = progressEvents.emit
  const billing = createBillingEntries({
    accounts,
    currencies: costs.currencies,
    remembered: (account) =>
      costs.history
        .all(account)
        .map(({ id, name, kind }) => ({ id, name, type: kind === 'volume' ? 'volume' : 'vm' })),
    ledgerTotal: ledgerTotal({ store, ledger, currencies: costs.currencies }),
    now,
    progress,
  })
  const exports = createExports({
    accounts,
    costs: costs.handlers,
    entries: billing,
    chooseTarget: host.chooseTarget,
    printPdf: host.printPdf,
    now,
    progress,
  })

  return {
    activity: defineModule({
      ...activity,
      events: { 'activity.added': activity.onAdded } satisfies EventsOf<typeof activityEvents>,
      forgetAccount: 'follows-accounts',
    }),
    balances: defineModule({
      ...balances,
      events: {
        'balance.changed': (listener) =>
          balances.onChange((account, balance) => listener({ account, balance })),
      } satisfies EventsOf<typeof balanceEvents>,
      forgetAccount: 'follows-accounts',
    }),
    alerts: defineModule({
      ...alerts,
      events: {
        'alerts.changed': (listener) =>
          alerts.onChange((account, shown) => listener({ account, alerts: shown })),
      } satisfies EventsOf<typeof alertEvents>,
    }),
    store: defineModule({
      ...store,
      events: { 'store.changed': store.onChange } satisfies EventsOf<typeof storeEvents>,
      forgetAccount: 'keeps-nothing',
      // After the accounts, so that a locked keychain is asked for once. What is kept is shown without a sign-in too.
      start: (): void => {
        if (accounts.view().accounts.length > 0) void store.open()
      },
    }),
    ledger: defineModule({
      ...ledger,
      events: { 'ledger.changed': ledger.onChange } satisfies EventsOf<typeof ledgerEvents>,
    }),
    // After the ledger, which emits what it drops of an account.
    costs: defineModule({
      ...costs,
      events: { 'cost.changed': costs.spending.onChange } satisfies EventsOf<typeof costEvents>,
    }),
    moneyWatch: defineModule({ ...moneyWatch, handlers: {}, events: {}, forgetAccount: 'keeps-nothing' }),
    gpus,
    billing: defineModule({
      ...billing,
      events: { 'billing.progress': progressEvents.on } satisfies EventsOf<typeof billingEvents>,
    }),
    exports: defineModule({ ...exports, events: {}, forgetAccount: 'keeps-nothing' }),
  }
}
