import { afterEach, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { AccountView } from '#shared/bridge/account'
import type { FlavorWatch } from '#shared/bridge/catalog'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'
const other = 'b1b2c3d4e5f6'
const watching = (flavor: string): FlavorWatch => ({
  kind: 'machine',
  flavor,
  name: flavor,
  region: { id: 'oslo', name: 'Oslo' },
  since: 100,
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A window that reads its catalog watches through `read`. */
async function windowReading(read: (account: string) => unknown, ...ids: readonly string[]) {
  const listed = (accounts: readonly string[]): { accounts: AccountView[]; selected: string } => ({
    accounts: accounts.map((id) => accountNamed(id)),
    selected: account,
  })
  const main = mainProcess({
    'accounts.list': () => listed(ids),
    'catalog.watches': (input: { account: string }) => read(input.account),
  })
  const { useAccounts } = await import('./accounts')
  const { useCatalog } = await import('./catalog')
  await useAccounts().start()
  const catalog = useCatalog()
  catalog.start()
  return {
    flavors: () => catalog.watches.map(({ flavor }) => flavor),
    push: (flavor: string) =>
      main.push('catalog.watchesChanged', { account, watches: [watching(flavor)], restocked: [] }),
    async setAccounts(...next: readonly string[]) {
      main.push('accounts.changed', listed(next))
      await nextTick()
    },
  }
}

it('a value of an account is read once, and again after the account was removed and added', async () => {
  const asked: string[] = []
  const { flavors, setAccounts } = await windowReading(
    (id) => {
      asked.push(id)
      return [watching(`flavor ${asked.length}`)]
    },
    account,
    other,
  )
  await expect.poll(() => flavors()).toEqual(['flavor 1'])
  await setAccounts(other)
  await setAccounts(account, other)
  await expect.poll(() => flavors()).toEqual(['flavor 3'])
  expect(asked).toEqual([account, other, account])
})

it('a value that is pushed during a reading stays', async () => {
  let answer: (watches: readonly FlavorWatch[]) => void = () => undefined
  const { flavors, push } = await windowReading(() => new Promise((resolve) => (answer = resolve)), account)
  push('newer')
  answer([watching('older')])
  await nextTick()
  await nextTick()
  expect(flavors()).toEqual(['newer'])
})

it('an account that cannot be read does not stop the reading of the next account', async () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue()
  const { flavors } = await windowReading(
    (id) => {
      if (id === other) throw new Error('disk full')
      return [watching('kept')]
    },
    other,
    account,
  )
  await expect.poll(() => flavors()).toEqual(['kept'])
  expect(failed).toHaveBeenCalledWith('catalog.watches', expect.anything())
})

it('lists and failures of an account are dropped with the account', async () => {
  const list = { items: [], asOf: 1 }
  const view = { accounts: [accountNamed(account)], selected: account }
  const main = mainProcess({
    'accounts.list': () => view,
    'apiTokens.list': () => list,
    'catalog.flavors': () => ({ ...list, currencyAssumed: false }),
    'catalog.regions': () => list,
    'catalog.images': () => {
      throw new Error('not today')
    },
    'gpu.state': () => ({
      account,
      machine: 'm-1',
      consent: true,
      link: { kind: 'off', why: 'no-consent' },
      report: null,
      at: null,
    }),
  })
  const { useAccounts } = await import('./accounts')
  const { useApiTokens } = await import('./api-tokens')
  const { useCatalog } = await import('./catalog')
  const { useGpus } = await import('./gpus')
  await useAccounts().start()
  const [tokens, catalog, gpus] = [useApiTokens(), useCatalog(), useGpus()]
  const [flavors, images] = (['flavors', 'images'] as const).map((one) => ({
    account,
    kind: 'machine' as const,
    list: one,
  }))
  if (!flavors || !images) expect.fail()
  await Promise.all([
    tokens.load(account),
    catalog.load(flavors),
    catalog.load(images),
    gpus.load(account, 'm-1'),
  ])
  const known = () => [
    tokens.current !== null,
    catalog.flavors(flavors) !== null,
    catalog.regions(flavors).length,
    catalog.failure(images) !== null,
    gpus.of(account, 'm-1')?.consent,
  ]
  expect(known()).toEqual([true, true, 0, true, true])
  main.push('accounts.changed', { accounts: [], selected: null })
  await nextTick()
  main.push('accounts.changed', view)
  await nextTick()
  expect(known()).toEqual([false, false, 0, false, undefined])
})

it('answers for a removed account are dropped', async () => {
  const view = { accounts: [accountNamed(account)], selected: account }
  const notes = { 'm-1': { text: 'mine', tags: [] } }
  const answers: (() => void)[] = []
  const later = (value: unknown) => () =>
    new Promise((resolve) => {
      answers.push(() => resolve(value))
    })
  const link = { kind: 'off', why: 'no-consent' }
  const main = mainProcess({
    'accounts.list': () => view,
    'gpu.state': later({ account, machine: 'm-1', consent: true, link, report: null, at: null }),
    'cost.active': later([]),
    'notes.list': () => ({}),
    'notes.change': later(undefined),
  })
  const { useAccounts } = await import('./accounts')
  const { useActiveCosts } = await import('./active-costs')
  const { useGpus } = await import('./gpus')
  const { useNotes } = await import('./notes')
  await useAccounts().start()
  const [costs, gpus, kept] = [useActiveCosts(), useGpus(), useNotes()]
  kept.start()
  costs.follow(() => [account])
  const asked = [gpus.load(account, 'm-1'), kept.change(account, 'm-1', { text: 'mine', tags: [] })]
  await expect.poll(() => [answers.length, kept.of(account, 'm-1').text]).toEqual([3, 'mine'])
  main.push('notes.changed', { account, notes })
  main.push('accounts.changed', { accounts: [], selected: null })
  await nextTick()
  answers.forEach((answer) => answer())
  await Promise.all(asked)
  await nextTick()
  expect([gpus.of(account, 'm-1'), kept.kept.size, costs.values.size]).toEqual([null, 0, 0])
})
