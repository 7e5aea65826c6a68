import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openSettings } from '../store/settings'
import { createCatalog } from './index'
import { createFlavorWatches, type WatchesChange } from './watches'

const virginia = { id: 'us-east-1', name: 'Virginia' }

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-watches-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  onTestFinished(() => settings.close())
  const clock = fakeClock(1_000_000)
  const changes: WatchesChange[] = []
  const notifications: string[] = []
  const start = (readsFile = false) => {
    const catalog = createCatalog({ accounts: harness.accounts, clock })
    const watches = createFlavorWatches({
      accounts: harness.accounts,
      catalog,
      settings: readsFile ? openSettings(folder) : settings,
      clock,
      showNotification: (_kind, words) => void notifications.push(words.title),
      online: () => true,
      report: (_action, error) => {
        throw error
      },
    })
    watches.onChange((change) => changes.push(change))
    onTestFinished(() => watches.close())
    return { catalog, watches }
  }
  const modules = start()
  const { items } = await modules.catalog.flavors({ account, kind: 'machine' })
  const gb200 = items.find(({ name }) => name.startsWith('gb200'))
  if (!gb200 || gb200.inStock !== false) throw new Error('the sandbox has a GB200 that is out of stock')
  const { id: flavor, name } = gb200
  const watch = (watched = true) =>
    modules.watches.handlers['catalog.watch']({ account, kind: 'machine', flavor, region: virginia, watched })
  /** Sets whether the service has the flavor in stock. */
  const stock = async (stock_available: boolean) => {
    await control(sandbox, 'DELETE', '/faults')
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 200,
      path: '/flavors',
      count: 1000,
      body: JSON.stringify({
        status: true,
        message: 'Flavors',
        data: [
          { region: 'Virginia', region_id: 'us-east-1', products: [{ id: flavor, name, stock_available }] },
        ],
      }),
    })
  }
  await control(sandbox, 'DELETE', '/requests')
  return { sandbox, account, clock, changes, start, pass: clock.advance, flavor, watch, stock, ...modules }
}

describe('a flavor that is out of stock', () => {
  it('is checked every minute while it is watched, notified once when it is back, and then no longer watched', async () => {
    const { watch, stock, pass, changes, account, sandbox, flavor } = await open()
    expect(await watch()).toMatchObject([{ flavor, region: virginia, since: 1_000_000 }])
    await stock(false)
    pass(60)
    await expect.poll(() => requestsTo(sandbox)).toHaveLength(1)
    await stock(true)
    await expect
      .poll(() => {
        pass(60)
        return changes.at(-1)?.restocked
      })
      .toMatchObject([{ flavor }])
    expect(changes.at(-1)).toMatchObject({ account, watches: [] })

    const notified = changes.length
    await control(sandbox, 'DELETE', '/requests')
    pass(600)
    pass(600)
    expect(await requestsTo(sandbox)).toEqual([])
    expect(changes).toHaveLength(notified)
  })

  it('is also found when another caller reads the catalog', async () => {
    const { watch, stock, changes, catalog, account, flavor } = await open()
    await watch()
    await stock(true)
    await catalog.flavors({ account, kind: 'machine', fresh: true })
    expect(changes.at(-1)?.restocked).toMatchObject([{ flavor }])
  })

  it('is also read if the catalog of another kind cannot be read', async () => {
    const { watches, pass, sandbox } = await open()
    watches.alsoRead(() => ['bare-metal', 'machine'])
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: '/bare-metal/flavors' })
    pass(60)
    await expect.poll(async () => (await requestsTo(sandbox)).join()).toMatch(/ \/flavors/)
  })

  it('is still watched after a restart, and while the service does not list it', async () => {
    const { watch, start, account, flavor, catalog, sandbox } = await open()
    await watch()
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 200,
      path: '/flavors',
      body: JSON.stringify({ status: true, message: 'Flavors', data: [] }),
    })
    await catalog.flavors({ account, kind: 'machine', fresh: true })
    const again = start(true).watches
    expect(again.handlers['catalog.watches']({ account })).toMatchObject([{ flavor }])
  })

  it('is no longer watched after the user removes the watch or forgets the account', async () => {
    const { watch, watches, account } = await open()
    await watch()
    expect(await watch()).toHaveLength(1)
    expect(await watch(false)).toEqual([])
    await watch()
    await watches.forgetAccount(account)
    expect(watches.handlers['catalog.watches']({ account })).toEqual([])
  })

  it('cannot be watched if the catalog does not contain it', async () => {
    const { watches, account } = await open()
    const unknown = {
      account,
      kind: 'bare-metal',
      flavor: 'nothing',
      region: virginia,
      watched: true,
    } as const
    await expect(watches.handlers['catalog.watch'](unknown)).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'flavor', reason: 'unknown' },
    })
  })
})
