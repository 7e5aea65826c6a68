import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defaultCurrency } from '#shared/money/money'
import { createBillingEntries } from '../../src/main/billing/entries/index'
import { createExports } from '../../src/main/billing/export/index'
import { createCatalog } from '../../src/main/catalog/index'
import { createUsage } from '../../src/main/usage/index'
import { createVolumes } from '../../src/main/volumes/index'
import { connect, runSandbox, setUp } from '../fixtures/account-harness'
import { fakeClock } from '../fixtures/fake-clock'
import { flakySettings } from '../fixtures/flaky-settings'
import { startOddService } from '../fixtures/odd-service/index'

const begin = async () => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, ['odd-records'])
  onTestFinished(() => odd.close())
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox, { url: odd.baseUrl })
  return { accounts: harness.accounts, account }
}

it.each(['machine', 'bare-metal'] as const)(
  'the catalog shows how many records are unreadable (%s)',
  async (kind) => {
    const { accounts, account } = await begin()
    const { flavors: listFlavors, handlers } = createCatalog({ accounts, clock: fakeClock() })
    const query = { account, kind }
    const flavors = await listFlavors(query)
    const images = await handlers['catalog.images'](query)
    const regions = await handlers['catalog.regions'](query)
    expect([flavors, images, regions].map(({ unreadable }) => unreadable?.count)).toEqual([1, 2, 2])
    expect([flavors, images, regions].every(({ items }) => items.length > 1)).toBe(true)
    expect(JSON.stringify([flavors, images, regions])).not.toContain('odd-secret')
  },
)

it('the types of volumes show how many are unreadable', async () => {
  const { accounts, account } = await begin()
  const volumes = createVolumes({
    accounts,
    documents: flakySettings(),
    usage: createUsage({ accounts, clock: fakeClock() }),
    extensions: {
      mayList: () => true,
      list: (id, page) => accounts.service(id).volumes.list(page),
      types: (id, region, onUnreadable) =>
        accounts.service(id).volumeTypes.list(region, undefined, onUnreadable),
      remove: () => Promise.resolve(),
    },
    regions: () => Promise.resolve([]),
    clock: fakeClock(),
    online: () => true,
    report: () => undefined,
  })
  onTestFinished(() => volumes.close())
  const types = await volumes.handlers['volumes.types']({ account, region: 'us-east-1' })
  expect(types.items.length).toBeGreaterThan(0)
  expect(types.unreadable?.count).toBe(2)
})

it('an export shows how many records it leaves out', async () => {
  const { accounts, account } = await begin()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-odd-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const entries = createBillingEntries({
    accounts,
    currencies: { of: () => ({ currency: defaultCurrency, assumed: true }) },
    remembered: () => [],
    ledgerTotal: () => undefined,
    now: () => 1_700_000_000,
  })
  const { handlers } = createExports({
    accounts,
    costs: {
      requireView: () => expect.fail('not asked'),
      days: () => Promise.reject(new Error('not asked')),
      resources: () => Promise.reject(new Error('not asked')),
      gpus: () => Promise.reject(new Error('not asked')),
    },
    entries,
    chooseTarget: () => Promise.resolve(join(folder, 'table.json')),
    showInFolder: () => undefined,
    printPdf: () => Promise.resolve(new Uint8Array()),
    now: () => 1_700_000_000,
  })
  const saved = await handlers['export.table']({
    account,
    job: 'job-00000001',
    format: 'json',
    source: { kind: 'usage', filter: {}, sort: 'total', descending: true },
  })
  expect(saved).toMatchObject({ complete: true, unreadable: 1 })
  const rows: unknown = JSON.parse(await readFile(join(folder, 'table.json'), 'utf8'))
  expect(rows).toHaveLength(saved.rows)
})
