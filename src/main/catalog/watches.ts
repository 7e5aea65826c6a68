import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import {
  type catalogCalls,
  type catalogEvents,
  FlavorWatch,
  type FlavorView,
  type MachineKind,
} from '#shared/bridge/catalog'
import type { HandlersOf } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { sameRegion } from '#shared/regions'
import { failureOf } from '../core/failure-of'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import { createPoller, type Polled } from '../core/poller'
import type { ReportError } from '../core/report-error'
import type { SettingsStore } from '../store/settings'
import type { Catalog, FlavorsRead } from './index'
import { restockedText } from './restocked-text'

/** What the person waits for, by account: the section `flavor-watches` of the settings. */
const Watches = z.object({ accounts: z.record(z.string(), z.array(FlavorWatch)).default({}) })

/** Watches of an account after a change; `restocked` came back just now. */
export interface WatchesChange {
  readonly account: AccountId
  readonly watches: FlavorWatch[]
  readonly restocked: FlavorWatch[]
}

export interface FlavorWatchesDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly catalog: Pick<Catalog, 'flavors' | 'onFlavors'>
  readonly settings: Pick<SettingsStore, 'section'>
  readonly clock: Clock
  online(): boolean
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

/** Seconds between two looks at the stock, whether a window is open or not: what comes back goes fast. */
const pollInterval = { focused: 60, background: 60 }

type Sought = Pick<FlavorWatch, 'flavor' | 'region'>
const isOf =
  ({ flavor, region }: Sought) =>
  (one: FlavorView): boolean =>
    one.id === flavor && sameRegion(one.region, region) !== false
const isSame =
  (kind: MachineKind, { flavor, region }: Sought) =>
  (watch: FlavorWatch): boolean =>
    watch.kind === kind && watch.flavor === flavor && sameRegion(watch.region, region) !== false

/**
 * Flavors that are out of stock and that the person waits for: looked at while any is watched, shown in a notification once
 * one is back, and then watched no longer. Kept on disk; what the service stops listing stays watched.
 */
export function createFlavorWatches(deps: FlavorWatchesDeps) {
  const { accounts, catalog, clock, showNotification, report } = deps
  const kept = deps.settings.section('flavor-watches', Watches)
  const changes = createEmitter<WatchesChange>()
  const of = (account: AccountId): FlavorWatch[] => kept.read().accounts[account] ?? []

  async function change(
    account: AccountId,
    update: (watches: FlavorWatch[]) => FlavorWatch[],
    restocked: FlavorWatch[] = [],
  ): Promise<void> {
    const written = kept.change(({ accounts }) => {
      const { [account]: before = [], ...others } = accounts
      const watches = update(before)
      return { accounts: watches.length === 0 ? others : { ...others, [account]: watches } }
    })
    changes.emit({ account, watches: of(account), restocked })
    const label = accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
    for (const { kind, name, region } of restocked)
      showNotification(restockedText({ name, region }, label, translate), {
        page: 'catalog',
        account,
        kind,
        find: name,
      })
    await written
  }

  function look({ query: { account, kind }, flavors }: FlavorsRead): void {
    const back = of(account).filter(
      (watch) => watch.kind === kind && flavors.some((one) => one.inStock === true && isOf(watch)(one)),
    )
    if (back.length === 0) return
    change(account, (watches) => watches.filter((watch) => !back.includes(watch)), back).catch(
      (error: unknown) => report('catalog.keepWatches', error),
    )
  }
  const unsubscribe = catalog.onFlavors(look)

  function stockOf(account: AccountId): Polled {
    let failure: Failure | null = null
    return {
      async refresh() {
        try {
          for (const kind of new Set(of(account).map((watch) => watch.kind)))
            await catalog.flavors({ account, kind, fresh: true })
          failure = null
        } catch (error) {
          failure = failureOf(error, 'catalog.read')
        }
      },
      failure: () => failure,
      moving: () => false,
      clear: () => undefined,
    }
  }
  const poller = createPoller({ ...deps, pollInterval, open: stockOf })

  const handlers: HandlersOf<Pick<typeof catalogCalls, 'catalog.watches' | 'catalog.watch'>> = {
    'catalog.watches': ({ account }) => of(account),
    'catalog.watch': async ({ account, kind, flavor, region, watched }) => {
      const others = (watches: FlavorWatch[]) =>
        watches.filter((one) => !isSame(kind, { flavor, region })(one))
      if (!watched) {
        await change(account, others)
        return of(account)
      }
      const { items } = await catalog.flavors({ account, kind })
      const found = items.find(isOf({ flavor, region }))
      if (!found) throw new FailureError({ kind: 'invalid-input', field: 'flavor', reason: 'unknown' })
      const watch: FlavorWatch = { kind, flavor, name: found.name, region: found.region, since: clock.now() }
      await change(account, (watches) => [...others(watches), watch])
      look({ query: { account, kind }, flavors: items })
      return of(account)
    },
  }

  const events: EventsOf<Pick<typeof catalogEvents, 'catalog.watchesChanged'>> = {
    'catalog.watchesChanged': changes.on,
  }

  return defineModule({
    handlers,
    events,
    onChange: changes.on,
    forgetAccount: (account: AccountId): Promise<void> => change(account, () => []),
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close(): void {
      unsubscribe()
      poller.close()
    },
  })
}
