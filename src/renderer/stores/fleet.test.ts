import { describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import type { AccountView } from '#shared/bridge/account'
import type { FleetChange, FleetSnapshot } from '#shared/bridge/fleet'
import { machineNamed } from '../pages/machines/machine.fixture'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'
const other = 'b1b2c3d4e5f6'
const status = { asOf: 100, reading: false, total: null, failure: null }
const change = (revision: number, name: string): FleetChange => ({
  account,
  revision,
  upserts: [machineNamed(name)],
  removes: [],
  status,
})

/** A window with `account` selected. Each reading returns the next snapshot; the last one repeats. */
async function windowOver(...snapshots: readonly (() => Promise<readonly string[]> | readonly string[])[]) {
  let asked = 0
  let revision = 0
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account), accountNamed(other)], selected: account }),
    'fleet.snapshot': async (input: { account: string }): Promise<FleetSnapshot> => {
      if (input.account === other)
        return { account: other, revision: 1, machines: [machineNamed('far')], status }
      const names = await snapshots[Math.min(asked++, snapshots.length - 1)]?.()
      revision += 5
      return { account, revision, machines: (names ?? []).map((name) => machineNamed(name)), status }
    },
  })
  const { useAccounts } = await import('./accounts')
  const { useFleet } = await import('./fleet')
  await useAccounts().start()
  const fleet = useFleet()
  fleet.start()
  return { main, fleet, names: () => fleet.list.map(({ name }) => name), asked: () => asked }
}

describe('the fleet store', () => {
  it('reads every account and lists the selected account', async () => {
    const { fleet, names } = await windowOver(() => ['alpha'])
    await expect.poll(() => names()).toEqual(['alpha'])
    expect([...(fleet.fleets.get(other)?.items.keys() ?? [])]).toEqual(['far'])
  })

  it('applies changes by revision', async () => {
    const { main, names, asked } = await windowOver(() => ['alpha'])
    await expect.poll(() => names()).toEqual(['alpha'])
    main.push('fleet.changed', change(6, 'beta'))
    main.push('fleet.changed', change(6, 'again'))
    await nextTick()
    expect(names()).toEqual(['alpha', 'beta'])
    expect(asked()).toBe(1)
  })

  it('reads a new snapshot if a revision is missing', async () => {
    const { main, names } = await windowOver(
      () => ['alpha'],
      () => ['alpha', 'beta', 'gamma'],
    )
    await expect.poll(() => names()).toEqual(['alpha'])
    main.push('fleet.changed', change(9, 'gamma'))
    await expect.poll(() => names()).toEqual(['alpha', 'beta', 'gamma'])
  })

  it('keeps changes that arrive before the snapshot', async () => {
    let release: (names: readonly string[]) => void = () => undefined
    const { main, names, asked } = await windowOver(() => new Promise((resolve) => (release = resolve)))
    await expect.poll(() => asked()).toBe(1)
    main.push('fleet.changed', change(6, 'beta'))
    release(['alpha'])
    await expect.poll(() => names()).toEqual(['alpha', 'beta'])
    expect(asked()).toBe(1)
  })

  it('reports the failure to read a snapshot', async () => {
    const { fleet } = await windowOver(() => Promise.reject(new Error('disk full')))
    await expect.poll(() => fleet.failure).toMatchObject({ kind: 'local-fault', reason: 'disk full' })
  })
})

describe('the previous run’s list', () => {
  const waiting = { asOf: null, reading: true, total: null, failure: null }
  const kept = { asOf: 50, machines: [machineNamed('alpha'), machineNamed('ended')] }
  /** A window whose account was not read yet; `answer` returns the previous run's list. */
  async function windowAsking(answer: () => unknown, view: Partial<AccountView> = {}) {
    let asked = 0
    const main = mainProcess({
      'accounts.list': () => ({ accounts: [accountNamed(account, view)], selected: account }),
      'fleet.snapshot': () => ({ account, revision: 1, machines: [], status: waiting }),
      'fleet.lastList': () => {
        asked += 1
        return answer()
      },
    })
    const { useAccounts } = await import('./accounts')
    const { useFleet } = await import('./fleet')
    await useAccounts().start()
    const fleet = useFleet()
    fleet.start()
    return { main, fleet, asked: () => asked, shown: () => fleet.shown.map(({ name }) => name) }
  }
  async function windowWithout(view?: Partial<AccountView>) {
    const window = await windowAsking(() => kept, view)
    await expect.poll(() => window.fleet.last).not.toBeNull()
    return window
  }

  it('is shown with its age until the first reading is complete, and does not count as read', async () => {
    const { main, fleet, shown, asked } = await windowWithout()
    expect([shown(), fleet.last?.asOf, fleet.list, fleet.machines.size]).toEqual([
      ['alpha', 'ended'],
      50,
      [],
      0,
    ])
    main.push('fleet.changed', { ...change(2, 'alpha'), status: waiting })
    expect([shown(), fleet.list.length]).toEqual([['alpha', 'ended'], 1])
    main.push('fleet.changed', { ...change(3, 'beta'), status })
    await nextTick()
    expect([shown(), fleet.last]).toEqual([['alpha', 'beta'], null])
    main.push('accounts.changed', { accounts: [accountNamed(account)], selected: account })
    await nextTick()
    expect(asked()).toBe(1)
  })

  it('is requested once, even if the accounts change while it is loading', async () => {
    let release: () => void = () => undefined
    const window = await windowAsking(() => new Promise((resolve) => (release = () => resolve(kept))))
    await expect.poll(window.asked).toBe(1)
    const renamed = accountNamed(account, { label: 'renamed' })
    window.main.push('accounts.changed', { accounts: [renamed], selected: account })
    await nextTick()
    release()
    await expect.poll(window.shown).toEqual(['alpha', 'ended'])
    expect(window.asked()).toBe(1)
  })

  it('stays if the service is unreachable, and disappears on sign-out', async () => {
    const { main, shown } = await windowWithout({ state: 'signing-in' })
    const replaceAccount = (view: Partial<AccountView>) =>
      main.push('accounts.changed', { accounts: [accountNamed(account, view)], selected: account })
    replaceAccount({ state: 'signed-out', failure: { kind: 'offline' } })
    await nextTick()
    expect(shown()).toEqual(['alpha', 'ended'])
    replaceAccount({ state: 'signed-out', staysSignedIn: false })
    await nextTick()
    expect(shown()).toEqual([])
  })
})
