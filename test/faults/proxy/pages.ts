import { onTestFinished } from 'vitest'
import type { AccountId } from '#shared/bridge/account'
import type { UnreadableRecords } from '#shared/bridge/listing'
import { unpackSeries } from '#shared/bridge/metrics'
import { failureOf } from '#shared/failure'
import type { Accounts } from '../../../src/main/accounts/index'
import { createApiTokens } from '../../../src/main/api-tokens/index'
import { createBalances } from '../../../src/main/balance/index'
import { createBareMetal } from '../../../src/main/bare-metal/index'
import { createBillingEntries } from '../../../src/main/billing/entries/index'
import { createLedger } from '../../../src/main/billing/ledger/index'
import { createLiveUsage } from '../../../src/main/billing/live-usage'
import { createCapabilities } from '../../../src/main/capabilities/index'
import { createCatalog } from '../../../src/main/catalog/index'
import { createFirewall } from '../../../src/main/firewall/index'
import { createMetrics } from '../../../src/main/metrics/index'
import { createLoads } from '../../../src/main/metrics/loads'
import { createUsage } from '../../../src/main/usage/index'
import type { FakeClock } from '../../fixtures/fake-clock'
import { flakySettings } from '../../fixtures/flaky-settings'
import { must } from '../../fixtures/service-client'
import { openStore } from '../../fixtures/store'

/** Content of a page after a reading. */
interface Shown {
  /** Null if there is no answer, and the window keeps its data, or the operation is unsupported. */
  readonly ids: readonly string[] | null
  /** The kind of the failure, or a note about incomplete data; null if all seems well. */
  readonly why: string | null
}

/** The data of one page. `keeper`: the side with the last good data, main or the window. */
export interface PageData {
  readonly keeper: 'main' | 'window'
  read(): Promise<Shown>
}

interface PagesDeps {
  readonly account: AccountId
  readonly accounts: Accounts
  readonly clock: FakeClock
  readonly machine: string
  readonly instance: string
}

type Answer = { readonly ids: readonly string[]; readonly unreadable?: UnreadableRecords | undefined }

const answered = (ask: () => Promise<Answer>): PageData => ({
  keeper: 'window',
  read: async () => {
    try {
      const { ids, unreadable } = await ask()
      return { ids, why: unreadable ? 'unreadable' : null }
    } catch (error) {
      return { ids: null, why: failureOf(error, 'an error that is no failure').kind }
    }
  },
})

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id).toSorted()

/** Every list and page except machines and volumes, over one account, by name. */
export async function openPages({ account, accounts, clock, machine, instance }: PagesDeps) {
  const online = () => true
  const documents = flakySettings()
  const report = () => undefined
  const { store, database } = await openStore()
  const capabilities = createCapabilities({ accounts, settings: documents, clock, report })
  const common = { accounts, clock, online }
  const tokens = createApiTokens({ ...common, capabilities })
  const metal = createBareMetal({ ...common, documents })
  const catalog = createCatalog({
    ...common,
    listRegions: (id, onUnreadable) =>
      capabilities.using(id, 'regions', () => accounts.service(id).regions.list(undefined, onUnreadable)),
  })
  const firewall = createFirewall({
    accounts,
    documents,
    clock,
    interfaces: () => ({}),
    sshMachines: { ifConnected: () => Promise.resolve(null) },
  })
  const metrics = createMetrics({
    accounts,
    online,
    ...clock,
    loads: createLoads({ accounts, now: clock.now }),
    gpus: () => [],
    chooseTarget: () => Promise.resolve(null),
  })
  const ledger = createLedger({ ...common, store, timeZone: () => 'UTC', report })
  const usage = createUsage({ accounts, clock })
  const live = createLiveUsage({
    ...common,
    usage,
    everything: () => true,
    expected: () => true,
    changed: () => undefined,
  })
  const entries = createBillingEntries({
    accounts,
    currencies: { of: (_account, _resource, reported) => ({ currency: reported ?? 'USD', assumed: false }) },
    remembered: () => [],
    ledgerTotal: () => undefined,
    now: clock.now,
  })
  let balanceRead = Promise.resolve()
  const balances = createBalances({
    ...common,
    capabilities: {
      using: (id, name, act) => {
        const answer = capabilities.using(id, name, act)
        balanceRead = answer.then(
          () => undefined,
          () => undefined,
        )
        return answer
      },
    },
  })
  const modules = [capabilities, tokens, metal, catalog, firewall, metrics, ledger, live, balances]
  modules.forEach((module) => onTestFinished(() => module.close()))
  await metal.handlers['bareMetal.add']({ account, instance })

  const list = { account, kind: 'machine', fresh: true } as const
  const period = { account, machine, period: '1d', range: null, width: 400 } as const
  const range = { account, offset: 0, limit: 50 } as const
  const statements = { kind: 'statements', sort: 'startedAt', descending: true, filter: {} } as const
  const used = { kind: 'usage', sort: 'createdAt', descending: true, filter: {} } as const
  const rows = (table: string): string[] =>
    database
      .prepare(`SELECT id FROM ${table} ORDER BY id`)
      .arrays()
      .map(([id]) => String(id))

  const pages: Readonly<Record<string, PageData>> = {
    'API tokens': answered(async () => {
      const { items, unreadable } = await tokens.handlers['apiTokens.list']({ account })
      return { ids: idsOf(items), unreadable }
    }),
    flavors: answered(async () => {
      const { items, unreadable } = await catalog.flavors(list)
      return { ids: idsOf(items), unreadable }
    }),
    images: answered(async () => {
      const { items, unreadable } = await catalog.handlers['catalog.images'](list)
      return { ids: idsOf(items), unreadable }
    }),
    regions: answered(async () => {
      const { items, unreadable } = await catalog.handlers['catalog.regions'](list)
      return { ids: items.map(({ name }) => name ?? ''), unreadable }
    }),
    'firewall rules': answered(async () => {
      const { rules, unreadable } = await firewall.handlers['firewall.list']({
        account,
        machine,
        offset: 0,
        limit: 50,
        sortField: 'protocol',
        sortOrder: 'asc',
      })
      return { ids: idsOf(rules), unreadable }
    }),
    statements: answered(async () => {
      const { items, unreadable } = await entries.handlers['billing.statements']({
        ...range,
        query: statements,
      })
      return { ids: idsOf(items), unreadable }
    }),
    usage: answered(async () => {
      const { items, unreadable } = await entries.handlers['billing.usage']({ ...range, query: used })
      return { ids: idsOf(items), unreadable }
    }),
    metrics: answered(async () => {
      const { series, unusable } = await metrics.handlers['metrics.read']({ ...period, fresh: true })
      const drawn = Object.entries(unpackSeries(series)).filter(([, { times }]) => times.length > 0)
      const unreadable = unusable > 0 ? { count: unusable, text: '' } : undefined
      return { ids: drawn.map(([key]) => key), unreadable }
    }),
    'bare metal': {
      keeper: 'main',
      read: async () => {
        await metal.handlers['bareMetal.refresh']({ account })
        const { instances, status } = metal.snapshot(account)
        return { ids: instances.map(({ id, name }) => `${id} ${name}`), why: status.failure?.kind ?? null }
      },
    },
    ledger: {
      keeper: 'main',
      read: async () => {
        await ledger.syncNow(account)
        const { failure } = ledger.state(account)
        return { ids: [...rows('statement'), ...rows('usage_entry')], why: failure?.kind ?? null }
      },
    },
    'what is charged for': {
      keeper: 'main',
      read: async () => {
        await live.read(account)
        const { records, complete } = must(live.latest(account))
        const why = live.failure(account)?.kind ?? (complete ? null : 'unreadable')
        return { ids: records.map(({ resource }) => resource).toSorted(), why }
      },
    },
    balance: {
      keeper: 'main',
      read: async () => {
        balances.wakeChanged(true)
        await balanceRead
        await new Promise(setImmediate)
        const view = balances.read(account)
        if (capabilities.capability(account, 'balance') === 'no')
          return { ids: view && [], why: 'not-offered-by-service' }
        return {
          ids: view?.available.map(({ currency, millionths }) => `${currency} ${String(millionths)}`) ?? [],
          why: view?.unreadable ? 'unreadable' : null,
        }
      },
    },
  }
  return pages
}
