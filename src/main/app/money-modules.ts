import type { EventPayload } from '#shared/bridge/index'
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
import { watchGpus } from '../gpu/gpu-watch'
import type { MachineMetrics } from '../metrics/index'
import type { Ssh } from '../ssh/index'
import { createStore } from '../store/database'
import type { SettingsStore } from '../store/settings'
import { reportFault, type HostEnvironment } from './host-environment'
import type { Volumes } from '../volumes/index'

/** What money and load are reckoned from. */
export interface MoneySources {
  readonly accounts: Accounts
  readonly settings: SettingsStore
  readonly capabilities: CapabilitiesOfAccounts
  readonly fleet: Fleet
  readonly bareMetal: BareMetal
  readonly volumes: Volumes
  readonly ssh: Ssh
  readonly metrics: MachineMetrics
}

/** Builds the parts that know what things cost, whether they earn it, and when the person must be told. */
export function createMoneyModules(around: HostEnvironment, sources: MoneySources) {
  const { now, after, online, push, tell } = around
  const { accounts, settings, capabilities, fleet, bareMetal, volumes, ssh, metrics } = sources
  const report = (action: string, error: unknown) => reportFault(action)(error)

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
        tell(words, destination)
    },
    report,
  })

  const store = createStore({ folder: around.userData, keychain: around.keychain, after })
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
  const gpus = watchGpus({
    accounts,
    settings,
    store,
    ssh,
    fleet,
    bareMetal,
    loads: metrics.loads,
    alerts,
    costsOf: machineCosts(costs.handlers, report),
    now,
    after,
    online,
    report,
  })
  const progress = (event: EventPayload<'billing.progress'>) => push('billing.progress', event)
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
    chooseTarget: around.chooseTarget,
    printPdf: around.printPdf,
    now,
    progress,
  })

  return { activity, balances, alerts, store, ledger, costs, moneyWatch, gpus, billing, exports }
}
