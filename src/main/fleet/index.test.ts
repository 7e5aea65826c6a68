import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import { type FakeClock, fakeClock } from '../../../test/fixtures/fake-clock'
import { control } from '../../../test/fixtures/account-harness'
import { type RunningSandbox, startSandbox } from '../../sandbox/sandbox'
import { type Accounts, createAccounts } from '../accounts/index'
import { openKeychain } from '../store/keychain'
import { openSettings } from '../store/settings'
import { createFleet, type Fleet } from './index'

/** Resolves with the first change that `matches`. */
const changeWhere = (fleet: Fleet, matches: (change: FleetChange) => boolean): Promise<FleetChange> =>
  new Promise((resolve) => {
    const stop = fleet.onChange((change) => {
      if (!matches(change)) return
      stop()
      resolve(change)
    })
  })

/** Starts the sandbox under the name of another computer, with a cable that can be pulled. */
const cable =
  (sandbox: () => RunningSandbox, plugged: () => boolean): typeof fetch =>
  (input, init) => {
    if (!plugged()) return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENETUNREACH' } }))
    const address = input instanceof Request ? input.url : input.toString()
    return fetch(address.replace('https://cloud.example', new URL(sandbox().baseUrl).origin), init)
  }

const isComplete = (change: FleetChange): boolean => change.status.asOf !== null && !change.status.reading

describe('the fleet of a signed-in account, against the sandbox', () => {
  let sandbox: RunningSandbox
  let folder: string
  let accounts: Accounts
  let fleet: Fleet
  let clock: FakeClock
  let network: boolean

  const open = (): Promise<RunningSandbox> => startSandbox({ port: 0, seed: 7, machines: 12, speed: 1 })

  beforeEach(async () => {
    sandbox = await open()
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-fleet-'))
    network = true
    clock = fakeClock(Date.now() / 1000)
    accounts = createAccounts({
      fetch: cable(
        () => sandbox,
        () => network,
      ),
      keychain: openKeychain({ load: () => Promise.reject(new Error('none here')) }),
      documents: openSettings(folder),
      clock,
      loopbackOnly: false,
      firstPaint: () => Promise.resolve(),
      online: () => network,
      sandbox: {
        start: () => Promise.reject(new Error('not used here')),
        forget: () => Promise.resolve(),
        onLost: () => undefined,
      },
    })
    fleet = createFleet({
      accounts,
      clock,
      online: () => network,
    })
    fleet.windowChanged(true)
  })

  afterEach(async () => {
    fleet.close()
    await sandbox.close()
    await rm(folder, { recursive: true })
  })

  /** Advances the clock by the longest wait. */
  const passWait = (): void => clock.advance(Math.max(0, ...clock.waits()))

  const signIn = async (): Promise<string> => {
    const read = changeWhere(fleet, isComplete)
    const account = await accounts.handlers['accounts.connect']({
      baseUrl: 'https://cloud.example/api/v1',
      credential: { kind: 'password', username: sandbox.username, password: sandbox.password },
      staySignedIn: false,
    })
    await read
    await expect.poll(() => clock.waits().length).toBe(1)
    return account.id
  }

  it('reads all machines automatically after the sign-in, without secrets', async () => {
    const account = await signIn()
    const snapshot = fleet.snapshot(account)
    expect(snapshot?.machines).toHaveLength(12)
    expect(snapshot?.status).toMatchObject({ total: 12, failure: null })
    for (const machine of snapshot?.machines ?? []) {
      if (!machine.hasPassword) continue
      const password = fleet.secret(account, { kind: 'machine-password', machine: machine.id })
      expect(password.length).toBeGreaterThan(7)
      expect(JSON.stringify(snapshot)).not.toContain(password)
    }
  })

  it("finds machines with the service's own filters", async () => {
    const account = await signIn()
    const name = fleet.snapshot(account)?.machines[0]?.name ?? ''
    const found = await fleet.handlers['machines.find']({ account, text: name.slice(0, 5) })
    expect(found.map((machine) => machine.name)).toContain(name)
    expect(found.length).toBeLessThan(12)
  })

  it('reads at regular intervals, and keeps the last data while the service is unreachable', async () => {
    const account = await signIn()
    const failed = changeWhere(fleet, (change) => change.status.failure !== null)
    await sandbox.close()
    passWait()
    expect((await failed).status.failure).toMatchObject({ kind: 'cannot-connect' })
    expect(fleet.snapshot(account)?.machines).toHaveLength(12)
    sandbox = await open()
  })

  it('sends no requests while the computer is offline, and reads at once when it is back', async () => {
    await signIn()
    network = false
    const failed = changeWhere(fleet, (change) => change.status.failure?.kind === 'offline')
    passWait()
    await failed
    await expect.poll(() => clock.waits()).toEqual([5])
    passWait()
    expect(clock.waits()).toEqual([5])
    network = true
    const back = changeWhere(fleet, (change) => isComplete(change) && change.status.failure === null)
    passWait()
    await back
  })

  it('sends no requests while the computer sleeps', async () => {
    await signIn()
    await expect.poll(() => clock.waits().length).toBe(1)
    fleet.wakeChanged(false)
    expect(clock.waits()).toEqual([])
    const read = changeWhere(fleet, isComplete)
    fleet.wakeChanged(true)
    await read
  })

  it('drops the machines of a signed-out account', async () => {
    const account = await signIn()
    await accounts.handlers['accounts.signOut']({ account })
    expect(fleet.snapshot(account)?.machines).toEqual([])
    expect(clock.waits()).toEqual([])
  })

  it('drops them even if a reading was running', async () => {
    const account = await signIn()
    await control(sandbox, 'POST', '/faults', { kind: 'delay', milliseconds: 200, path: '/virtual-machines' })
    const reading = fleet.handlers['fleet.refresh']({ account })
    await accounts.handlers['accounts.signOut']({ account })
    await reading
    expect(fleet.snapshot(account)?.machines).toEqual([])
  })

  it('drops the machines of an account that expired before it was signed out', async () => {
    const account = await signIn()
    await control(sandbox, 'DELETE', '/sessions')
    await fleet.handlers['fleet.refresh']({ account })
    expect(accounts.view().accounts).toMatchObject([{ state: 'signed-out', failure: { reason: 'expired' } }])
    expect(fleet.snapshot(account)?.machines).toHaveLength(12)
    await accounts.handlers['accounts.signOut']({ account })
    expect(fleet.snapshot(account)?.machines).toEqual([])
  })

  it('fails with invalid-input for an unknown account', () => {
    expect(() => fleet.handlers['fleet.snapshot']({ account: 'aaaaaaaaaaaa' })).toThrow(
      expect.objectContaining({
        failure: { kind: 'invalid-input', field: 'account', reason: 'unknown' },
      }),
    )
  })
})
