import type { AccountId } from '#shared/bridge/account'
import type { costEvents } from '#shared/bridge/cost'
import type { VolumeView } from '#shared/bridge/volume'
import type { BareMetal } from '../bare-metal/index'
import { defineModule, type EventsOf } from '../core/module'
import type { Fleet } from '../fleet/index'
import type { SettingsStore } from '../store/settings'
import type { Volumes } from '../volumes/index'
import type { Balances } from '../balance/index'
import { createCurrencies } from './currency'
import { followResources } from './follow-resources'
import { createResourceHistory } from './resource-history'
import { createSpending, type SpendingDeps } from './spending-views'

export interface CostsDeps extends Omit<SpendingDeps, 'currencies' | 'history' | 'volumes'> {
  readonly settings: Pick<SettingsStore, 'section'>
  readonly balances: Pick<Balances, 'read' | 'onChange'>
  readonly fleet: Pick<Fleet, 'onChange' | 'snapshot'>
  readonly bareMetal: Pick<BareMetal, 'onChange' | 'snapshot'>
  readonly volumes: Pick<Volumes, 'onChange' | 'snapshot'>
}

/** Costs of resources: combines the history of resources, currencies and spending. */
export function createCosts(deps: CostsDeps) {
  const { settings, balances, fleet, bareMetal, volumes, store, report } = deps
  const { now } = deps.clock
  const history = createResourceHistory({ database: store.database, now, report })
  // Spending and currencies depend on each other: currencies follow from amounts that spending has read.
  let reported = (_account: AccountId): readonly string[] => []
  const currencies = createCurrencies(settings, history.currencyOf, (account) => ({
    balance: (balances.read(account)?.available ?? []).map(({ currency }) => currency),
    reported: reported(account),
  }))
  const volumesOf = async (account: AccountId): Promise<readonly VolumeView[]> =>
    (await Promise.resolve(volumes.snapshot(account))).volumes
  const spending = createSpending({ ...deps, currencies, history, volumes: volumesOf })
  reported = spending.reportedCurrencies
  const unfollow = [
    store.onChange(history.storeChanged),
    balances.onChange(({ account }) => currencies.sourcesChanged(account)),
    followResources({
      history,
      machines: {
        onChange: fleet.onChange,
        all: (account) => fleet.snapshot(account)?.machines ?? [],
      },
      bareMetal: {
        onChange: bareMetal.onChange,
        all: async (account) => (await Promise.resolve(bareMetal.snapshot(account))).instances,
      },
      volumes: { onChange: volumes.onChange, all: volumesOf },
      now,
      moved: (account) => void spending.refresh(account).catch((error) => report('billing.usage', error)),
      report,
    }),
  ]
  const events: EventsOf<typeof costEvents> = { 'cost.changed': spending.onChange }

  return defineModule({
    currencies,
    history,
    spending,
    handlers: spending.handlers,
    events,
    forgetAccount: spending.forgetAccount,
    windowChanged: spending.windowChanged,
    wakeChanged: spending.wakeChanged,
    close(): void {
      unfollow.forEach((end) => end())
      spending.close()
    },
  })
}
