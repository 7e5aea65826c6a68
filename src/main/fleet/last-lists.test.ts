import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AccountId } from '#shared/bridge/account'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { plainText } from '../../../test/fixtures/private-documents'
import { storeFolder } from '../../../test/fixtures/store'
import type { RunningSandbox } from '../../sandbox/sandbox'
import { readLastView } from './last-view'
import { openKeychain } from '../store/keychain'
import { openSettings } from '../store/settings'

/** Starts a service that accepts every request and answers none. */
const silent: typeof fetch = () => new Promise(() => undefined)

/** Creates an installation that was signed in to a service and can be restarted. */
async function installed(
  options: { readonly staySignedIn?: boolean; readonly failing?: string | null } = {},
) {
  const { staySignedIn = true, failing = null } = options
  const sandbox: RunningSandbox = await runSandbox()
  const folder = storeFolder()
  const secrets = memorySecrets()
  secrets.failing = failing
  const clock = fakeClock(Date.now() / 1000)
  const start = (service: typeof fetch) => startModules({ folder, secrets, clock, fetch: service })
  const first = start(fetch)
  const { baseUrl, username, password } = sandbox
  const { id: account } = await first.calls['accounts.connect']({
    baseUrl,
    credential: { kind: 'password', username, password },
    staySignedIn,
  })
  await first.modules.store.open()
  await first.calls['fleet.refresh']({ account })
  const listed = await first.calls['fleet.snapshot']({ account })
  /** Restarts the application with a silent service. */
  const next = async () => {
    const run = start(silent)
    void run.modules.accounts.resume()
    await run.modules.store.open()
    return run
  }
  return { account, clock, first, folder, secrets, listed, start, next }
}

const lastOf = ({ calls }: ReturnType<typeof startModules>, account: AccountId) =>
  calls['fleet.lastList']({ account })

it('a start has the last list with its age before the service has answered, and counts none of it as read', async () => {
  const { account, clock, first, listed, next } = await installed()
  expect(listed.machines.length).toBeGreaterThan(5)
  clock.advance(3_600)
  await first.quit()
  const run = await next()
  expect(await lastOf(run, account)).toEqual({ asOf: listed.status.asOf, machines: listed.machines })
  expect(await run.calls['fleet.snapshot']({ account })).toMatchObject({
    machines: [],
    status: { asOf: null },
  })
  expect(run.modules.fleet.view(account, listed.machines[0]?.id ?? '')).toBeUndefined()
  expect(run.notifications).toEqual([])
  // A run without an answer does not delete the list.
  await run.quit()
  expect((await lastOf(await next(), account))?.machines).toEqual(listed.machines)
})

it('the list is written a minute after a change, so that it survives a crash', async () => {
  const { account, clock, first, listed, start } = await installed()
  expect(await lastOf(first, account)).toBeNull()
  clock.advance(60)
  await expect.poll(async () => (await lastOf(first, account))?.machines).toEqual(listed.machines)
  const beside = start(silent)
  await beside.modules.store.open()
  expect((await lastOf(beside, account))?.machines).toEqual(listed.machines)
})

it('the age is the time of the last reading, even if it changed nothing', async () => {
  const { account, clock, first, next } = await installed()
  clock.advance(60)
  clock.set(clock.now() + 1_000)
  await first.calls['fleet.refresh']({ account })
  const { status } = await first.calls['fleet.snapshot']({ account })
  await first.quit()
  expect((await lastOf(await next(), account))?.asOf).toBe(status.asOf)
})

const filesIn = (folder: string): readonly string[] => {
  const views = join(folder, 'last-views')
  return existsSync(views) ? readdirSync(views) : []
}

it('the list of an account that does not sign in automatically, signs out or is forgotten is deleted', async () => {
  const asked = await installed({ staySignedIn: false })
  await asked.first.quit()
  expect(await lastOf(await asked.next(), asked.account)).toBeNull()
  expect(filesIn(asked.folder)).toEqual([])

  for (const leave of ['accounts.signOut', 'accounts.forget'] as const) {
    const { account, clock, first, folder } = await installed()
    clock.advance(60)
    await expect.poll(() => filesIn(folder)).toEqual([`${account}.view`])
    await first.calls[leave]({ account })
    await expect.poll(() => filesIn(folder)).toEqual([])
    clock.advance(120)
    await first.quit()
    expect(filesIn(folder)).toEqual([])
  }
})

it('the list of an account signed out while the store is locked is deleted at once', async () => {
  const { account, first, folder, secrets, next } = await installed()
  await first.quit()
  secrets.failing = 'locked'
  const locked = await next()
  await locked.calls['accounts.signOut']({ account })
  await expect.poll(() => filesIn(folder)).toEqual([])
})

it('a damaged file is no list, and is replaced after the next reading', async () => {
  const { account, first, folder, listed, start, next } = await installed()
  await first.quit()
  const path = join(folder, 'last-views', `${account}.view`)
  writeFileSync(path, randomBytes(1_000))
  const run = await next()
  expect(await lastOf(run, account)).toBeNull()
  await run.quit()
  const reading = start(fetch)
  await reading.modules.store.open()
  await reading.modules.accounts.resume()
  await reading.calls['fleet.refresh']({ account })
  await reading.quit()
  expect((await lastOf(await next(), account))?.machines).toEqual(listed.machines)
})

it('the file also holds the accounts and views for the first page', async () => {
  const { account, first, folder, listed, secrets } = await installed()
  await first.calls['listViews.change']({ account, list: 'machines', view: { filter: 'gpu' } })
  const { accounts } = await first.calls['accounts.list']({})
  await first.quit()
  const keychain = openKeychain({ load: () => Promise.resolve(secrets) })
  const section = openSettings(folder).raw('accounts')
  expect(await readLastView(folder, keychain, section)).toEqual({
    accounts: {
      accounts: accounts.map((one) => ({ ...one, state: 'signing-in', failure: null, heldUntil: null })),
      selected: account,
    },
    listViews: { machines: { filter: 'gpu' } },
    lastList: { asOf: listed.status.asOf, machines: listed.machines },
  })
})

it('the list is encrypted on disk, and not stored without a keychain', async () => {
  const { account, first, folder, listed } = await installed()
  await first.quit()
  const text = plainText(folder)
  const names = listed.machines.map(({ name }) => name).filter((name) => name.length > 4)
  expect(names.filter((name) => text.includes(name))).toEqual([])

  const without = await installed({ failing: 'keytar is not installed' })
  without.clock.advance(60)
  expect(await lastOf(without.first, without.account)).toBeNull()
  await without.first.quit()
  expect(filesIn(without.folder)).toEqual([])
  expect(account).not.toBe(without.account)
})
