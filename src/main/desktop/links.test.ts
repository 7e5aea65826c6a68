import { expect, it } from 'vitest'
import type { Destination } from '#shared/bridge/app'
import { linkDestination, openLink, readLink } from './links'

const account = 'abcdefghijkl'
const other = 'bcdefghijklm'

it.each([
  ['wheelhouse://cost', { page: 'cost' }],
  ['wheelhouse://cost/', { page: 'cost' }],
  ['WHEELHOUSE://Machine/m-1', { page: 'machine', id: 'm-1' }],
  ['wheelhouse://terminal/a%20b', { page: 'terminal', id: 'a b' }],
])('%s is a link', (address, link) => {
  expect(readLink(address)).toEqual(link)
})

it.each([
  'wheelhouse://delete/m-1',
  'wheelhouse://machine',
  'wheelhouse://machine/',
  'wheelhouse://machine/m-1/delete',
  'wheelhouse://machine/m-1?act=delete',
  'wheelhouse://machine/m-1#act',
  'wheelhouse://machine/%00',
  'wheelhouse://machine/%2F',
  'wheelhouse://machine/%',
  `wheelhouse://machine/${'x'.repeat(300)}`,
  'wheelhouse://cost/m-1',
  'https://example.org',
])('%s is no link', (address) => {
  expect(readLink(address)).toBeNull()
})

/** Accounts whose machines are known only after a reading. */
function places(machines: Readonly<Record<string, readonly string[]>>) {
  const read = new Set<string>()
  return {
    accounts: () => Object.keys(machines),
    hasMachine: (owner: string, id: string) => read.has(owner) && (machines[owner]?.includes(id) ?? false),
    refresh: (owner: string) => Promise.resolve(void read.add(owner)),
  }
}

it('a link to a machine finds its account, also before the machines are read', async () => {
  const known = places({ [account]: ['m1'], [other]: ['m2'] })
  expect(await linkDestination({ page: 'machine', id: 'm2' }, known)).toEqual({
    page: 'machines',
    account: other,
    machine: 'm2',
  })
})

it('a link to a terminal shows the tab that connects, and connects to nothing', async () => {
  expect(await linkDestination({ page: 'terminal', id: 'm1' }, places({ [account]: ['m1'] }))).toEqual({
    page: 'machines',
    account,
    machine: 'm1',
    tab: 'connection',
  })
})

it('a link to costs shows the billing page; without an account there is no page', async () => {
  expect(await linkDestination({ page: 'cost' }, places({ [account]: [] }))).toEqual({
    page: 'billing',
    account,
  })
  expect(await linkDestination({ page: 'cost' }, places({}))).toBeUndefined()
})

it('a start without a link shows no page', async () => {
  const shown: (Destination | undefined)[] = []
  const open = (...args: readonly string[]) =>
    openLink(args, places({ [account]: [] }), (destination) => shown.push(destination))
  await open('wheelhouse', '--flag')
  await open('wheelhouse', 'wheelhouse://delete/m1')
  expect(shown).toEqual([])
  await open('wheelhouse', 'wheelhouse://cost')
  expect(shown).toEqual([{ page: 'billing', account }])
})
