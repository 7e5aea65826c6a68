import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import { openKeychain } from '../store/keychain'
import { lastViewFiles } from '../store/last-view-files'
import { readLastView } from './last-view'

const [one, two] = ['abcdefghijkl', 'bcdefghijklm']
const view = (...ids: readonly string[]) => ({
  accounts: {
    accounts: ids.map((id) => ({ id, label: 'Lab', staysSignedIn: id === one, state: 'signed-in' })),
    selected: ids[0],
  },
  lastList: { asOf: 1, machines: [] },
})
const settings = (selected: string | null, ...ids: readonly string[]) => ({
  accounts: ids.map((id) => ({ id, staySignedIn: true })),
  selected,
})

/** A user-data folder with a store, whose last views are `views` by account. */
async function installed(views: Readonly<Record<string, unknown>>) {
  const [folder, secrets] = [storeFolder(), memorySecrets()]
  const { store } = makeStore({ folder, secrets })
  await store.open()
  const key = store.fileKey() ?? expect.fail('the store is closed')
  const files = lastViewFiles(folder)
  for (const [account, content] of Object.entries(views))
    await files.write(account, key, JSON.stringify(content))
  await store.close()
  let reads = 0
  const keychain = openKeychain({ load: () => Promise.resolve(secrets) })
  const counted = {
    read: (entry: string) => {
      reads += 1
      return keychain.read(entry)
    },
  }
  return {
    key,
    secrets,
    read: (section: unknown) => readLastView(folder, counted, section),
    reads: () => reads,
  }
}

it('the view is the selected account’s, or the first one’s, before its sign-in', async () => {
  const { read } = await installed({ [one]: view(one, two), [two]: view(one, two) })
  const account = (id: string) => ({
    id,
    label: 'Lab',
    staysSignedIn: id === one,
    state: id === one ? 'signing-in' : 'signed-out',
    failure: null,
    heldUntil: null,
  })
  for (const [selected, shown] of [
    [two, two],
    [null, one],
    ['of nobody', one],
  ] as const)
    expect(await read(settings(selected, one, two))).toEqual({
      ...view(one, two),
      accounts: { accounts: [account(one), account(two)], selected: shown },
    })
})

it('the keychain is not asked without a file, an account, or automatic sign-in', async () => {
  const { read, reads } = await installed({ [one]: view(one) })
  expect(await read(settings(two, two))).toBeNull()
  expect(await read(undefined)).toBeNull()
  expect(await read({ accounts: [] })).toBeNull()
  expect(await read({ ...settings(one, one), accounts: [{ id: one, staySignedIn: false }] })).toBeNull()
  expect(reads()).toBe(0)
  expect(await read(settings(one, one))).not.toBeNull()
  expect(reads()).toBe(1)
})

it('a view of other accounts than now, of another shape or of another key is none', async () => {
  const { read } = await installed({ [one]: view(one) })
  expect(await read(settings(one, one, two))).toBeNull()
  expect(await read(settings(one, two, one))).toBeNull()
  const odd = await installed({ [one]: ['odd'] })
  expect(await odd.read(settings(one, one))).toBeNull()
  const lost = await installed({ [one]: view(one) })
  for (const entry of lost.secrets.entries.keys())
    await lost.secrets.setPassword('Wheelhouse', entry, randomBytes(32).toString('hex'))
  expect(await lost.read(settings(one, one))).toBeNull()
})

it('a keychain that refuses is a failure', async () => {
  const { read, secrets } = await installed({ [one]: view(one) })
  secrets.failing = 'locked'
  await expect(read(settings(one, one))).rejects.toMatchObject({ failure: { kind: 'keychain-unavailable' } })
})
