import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { openStore } from '../../../test/fixtures/store'
import type { Database } from '../store/database'
import { createResourceHistory, ofBareMetal, ofMachine, ofVolume } from './resource-history'

const account = 'abcdefghijkl'
const machine = {
  id: 'm1',
  name: 'trainer',
  flavor: { name: 'h100-2x', cpu: 32, ram: 256, disk: 100, gpu: 'H100', gpuCount: 2 },
  region: 'Virginia',
}
const bare = { ...machine, id: 'b1', presence: 'there' } as const
const volume = {
  id: 'v1',
  displayName: 'data',
  name: 'vol-0001',
  region: { id: 'us-east-1', name: null },
  currency: 'EUR',
}

const open = (database: () => Database | undefined) => {
  const clock = fakeClock(1_000)
  const history = createResourceHistory({
    database,
    now: clock.now,
    report: (action, error) => {
      throw new Error(action, { cause: error })
    },
  })
  return { clock, history }
}

describe('the history of resources', () => {
  it('remembers GPU, region and currency over a restart, also of what no longer exists', async () => {
    const { database } = await openStore()
    open(() => database).history.see(account, [ofMachine(machine), ofBareMetal(bare), ofVolume(volume)])
    const { history } = open(() => database)
    expect(history.of(account, 'm1')).toEqual({
      id: 'm1',
      kind: 'machine',
      name: 'trainer',
      flavor: 'h100-2x',
      gpu: 'H100',
      gpuCount: 2,
      region: 'Virginia',
      currency: null,
      firstSeen: 1_000,
      lastSeen: 1_000,
    })
    expect(history.of(account, 'b1')).toMatchObject({ kind: 'bare-metal', gpu: 'H100' })
    expect(history.of(account, 'v1')).toMatchObject({ kind: 'volume', gpu: '', region: 'us-east-1' })
    expect(history.currencyOf(account, 'v1')).toBe('EUR')
    expect(history.of(account, 'never-seen')).toBeUndefined()
    expect(history.of('otheraccount', 'm1')).toBeUndefined()
  })

  it('keeps what was reported once where a later answer has less', async () => {
    const { database } = await openStore()
    const { history, clock } = open(() => database)
    history.see(account, [ofMachine(machine), ofVolume(volume)])
    clock.set(2_000)
    const { flavor } = machine
    history.see(account, [
      ofMachine({
        ...machine,
        name: 'renamed',
        region: null,
        flavor: { ...flavor, gpu: null, gpuCount: null },
      }),
      ofVolume({ ...volume, currency: null }),
      ofBareMetal({ ...bare, presence: 'gone', name: 'b1' }),
    ])
    expect(history.of(account, 'm1')).toMatchObject({
      name: 'renamed',
      gpu: 'H100',
      gpuCount: 2,
      region: 'Virginia',
      firstSeen: 1_000,
      lastSeen: 2_000,
    })
    expect(history.currencyOf(account, 'v1')).toBe('EUR')
    expect(history.of(account, 'b1')).toBeUndefined()
  })

  it('knows a machine without GPU from one of which nothing is reported', () => {
    const none = { name: 'cpu-8', cpu: 8, ram: 32, disk: 50, gpu: null, gpuCount: 0 }
    expect(ofMachine({ ...machine, flavor: none }).gpu).toBe('')
    const unreported = { name: null, cpu: null, ram: null, disk: null, gpu: null, gpuCount: null }
    expect(ofMachine({ ...machine, flavor: unreported }).gpu).toBeNull()
  })

  it('writes only what is new, and when something was last seen every quarter of an hour', async () => {
    const { database } = await openStore()
    const { history, clock } = open(() => database)
    const changed: string[] = []
    history.onChange((id) => changed.push(id))
    history.see(account, [ofMachine(machine)])
    clock.set(clock.now() + 60)
    history.see(account, [ofMachine(machine)])
    expect(changed).toHaveLength(1)
    clock.set(clock.now() + 900)
    history.see(account, [ofMachine(machine)])
    expect(open(() => database).history.of(account, 'm1')?.lastSeen).toBe(1_960)
  })

  it('works without a store, and writes down what it knows once there is one', async () => {
    const { database } = await openStore()
    const current: { store?: Database } = {}
    const { history } = open(() => current.store)
    history.see(account, [ofMachine(machine)])
    expect(history.of(account, 'm1')?.gpu).toBe('H100')
    current.store = database
    history.storeChanged()
    expect(open(() => database).history.of(account, 'm1')?.gpu).toBe('H100')
  })

  it('goes into another store as it is, beside what that one knows', async () => {
    const first = await openStore()
    const second = await openStore()
    open(() => second.database).history.see(account, [ofVolume(volume)])
    const current = { store: first.database }
    const { history } = open(() => current.store)
    history.see(account, [ofMachine(machine)])
    current.store = second.database
    history.storeChanged()
    expect(history.all(account).map(({ id }) => id)).toEqual(['m1', 'v1'])
    expect(open(() => second.database).history.of(account, 'm1')?.gpu).toBe('H100')
  })

  it('forgets with the account', async () => {
    const { database } = await openStore()
    const { history } = open(() => database)
    history.see(account, [ofMachine(machine)])
    history.see('otheraccount', [ofMachine(machine)])
    history.forgetAccount(account)
    expect(history.all(account)).toEqual([])
    expect(open(() => database).history.all(account)).toEqual([])
    expect(open(() => database).history.all('otheraccount')).toHaveLength(1)
  })
})
