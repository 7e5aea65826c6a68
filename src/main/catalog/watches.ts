import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { type catalogCalls, type catalogEvents, FlavorWatch, type MachineKind } from '#shared/bridge/catalog'
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
import { isOfferOf } from './views'

/** Watched flavors by account: the settings section `flavor-watches`. */
const Watches = z.object({ accounts: z.record(z.string(), z.array(FlavorWatch)).default({}) })

/** Watches of an account after a change. `restocked`: watches whose flavor is in stock again. */
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

/** Pause between two checks of the stock, with or without a window: restocked flavors sell out fast. */
const pollInterval = { focused: 60, background: 60 }

type FlavorRef = Pick<FlavorWatch, 'flavor' | 'region'>
const isSame =
  (kind: MachineKind, { flavor, region }: FlavorRef) =>
  (watch: FlavorWatch): boolean =>
    watch.kind === kind && watch.flavor === flavor && sameRegion(watch.region, region) !== false

/**
 * Watches flavors that are out of stock. When a flavor is back the user is notified and the watch ends. Watches are
 * stored, and also stay for flavors that the service no longer lists.
 */
export function createFlavorWatches(deps: FlavorWatchesDeps) {
  const { accounts, catalog, clock, showNotification, report } = deps
  const section = deps.settings.section('flavor-watches', Watches)
  const changes = createEmitter<WatchesChange>()
  const otherKinds: ((account: AccountId) => readonly MachineKind[])[] = []
  const of = (account: AccountId): FlavorWatch[] => section.read().accounts[account] ?? []

  async function change(
    account: AccountId,
    update: (watches: FlavorWatch[]) => FlavorWatch[],
    restocked: FlavorWatch[] = [],
  ): Promise<void> {
    const written = section.change(({ accounts }) => {
      const { [account]: previous = [], ...otherAccounts } = accounts
      const watches = update(previous)
      return { accounts: watches.length === 0 ? otherAccounts : { ...otherAccounts, [account]: watches } }
    })
    changes.emit({ account, watches: of(account), restocked })
    const label = accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
    for (const { kind, name, region } of restocked)
      showNotification('stock', restockedText({ name, region }, label, translate), {
        page: 'catalog',
        account,
        kind,
        find: name,
      })
    await written
  }

  function checkStock({ query: { account, kind }, flavors }: FlavorsRead): void {
    const restocked = of(account).filter(
      (watch) =>
        watch.kind === kind && flavors.some((flavor) => flavor.inStock === true && isOfferOf(watch)(flavor)),
    )
    if (restocked.length === 0) return
    change(account, (watches) => watches.filter((watch) => !restocked.includes(watch)), restocked).catch(
      (error: unknown) => report('catalog.keepWatches', error),
    )
  }
  const unsubscribe = catalog.onFlavors(checkStock)

  function stockOf(account: AccountId): Polled {
    let failure: Failure | null = null
    return {
      async refresh() {
        const others = otherKinds.flatMap((kindsOf) => kindsOf(account))
        let firstFailure: Failure | null = null
        // The failure of one kind must not stop the reading of other kinds.
        for (const kind of new Set([...of(account).map((watch) => watch.kind), ...others]))
          try {
            await catalog.flavors({ account, kind, fresh: true })
          } catch (error) {
            firstFailure ??= failureOf(error, 'catalog.read')
          }
        failure = firstFailure
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
      const withoutWatch = (watches: FlavorWatch[]) =>
        watches.filter((existing) => !isSame(kind, { flavor, region })(existing))
      if (!watched) {
        await change(account, withoutWatch)
        return of(account)
      }
      const { items } = await catalog.flavors({ account, kind })
      const listed = items.find(isOfferOf({ flavor, region }))
      if (!listed) throw new FailureError({ kind: 'invalid-input', field: 'flavor', reason: 'unknown' })
      const watch: FlavorWatch = {
        kind,
        flavor,
        name: listed.name,
        region: listed.region,
        since: clock.now(),
      }
      await change(account, (watches) => [...withoutWatch(watches), watch])
      checkStock({ query: { account, kind }, flavors: items })
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
    /** Also reads the catalogs of these kinds at the pace of the watches, for as long as they are returned. */
    alsoRead: (kindsOf: (account: AccountId) => readonly MachineKind[]): void =>
      void otherKinds.push(kindsOf),
    forgetAccount: (account: AccountId): Promise<void> => change(account, () => []),
    windowChanged: poller.windowChanged,
    wakeChanged: poller.wakeChanged,
    close(): void {
      unsubscribe()
      poller.close()
    },
  })
}
