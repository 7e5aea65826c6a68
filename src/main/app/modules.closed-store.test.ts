import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { plainText } from '../../../test/fixtures/private-documents'

it('a sign-in that began before the store opened does not clear the user name and the label', async () => {
  const { baseUrl, username, password, apiToken } = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-early-sign-in-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const secrets = memorySecrets()
  let latch: Promise<void> = Promise.resolve()
  const gated: typeof fetch = async (input, init) => {
    await latch
    return fetch(input, init)
  }
  const start = () => startModules({ folder, secrets, clock: fakeClock(Date.now() / 1000), fetch: gated })
  const first = start()
  const credential = { kind: 'password', username, password } as const
  const { id } = await first.calls['accounts.connect']({ baseUrl, credential, staySignedIn: false })
  await first.calls['accounts.rename']({ account: id, label: 'Lab' })
  await first.modules.store.open()
  await first.quit()

  const again = start()
  let open = (): void => undefined
  latch = new Promise((resolve) => (open = resolve))
  const token = { kind: 'api-token', token: apiToken } as const
  const signingIn = again.calls['accounts.signIn']({ account: id, credential: token, staySignedIn: true })
  await again.modules.store.open()
  open()
  await signingIn
  expect(again.modules.accounts.view().accounts).toMatchObject([{ id, label: 'Lab', username }])
})

it('an account signs in by itself even if the store with its user name does not open', async () => {
  const { baseUrl, username, password } = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-closed-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const secrets = memorySecrets()
  const start = () => startModules({ folder, secrets, clock: fakeClock(Date.now() / 1000), fetch })

  const first = start()
  const credential = { kind: 'password', username, password } as const
  const { id } = await first.calls['accounts.connect']({ baseUrl, credential, staySignedIn: true })
  await first.calls['accounts.rename']({ account: id, label: 'Canary lab' })
  await first.modules.store.open()
  await first.quit()
  expect(plainText(folder)).not.toMatch(/Canary lab|: "sandbox"/)

  const again = start()
  await again.modules.accounts.resume()
  await again.modules.store.open()
  expect(again.modules.accounts.view().accounts).toMatchObject([
    { id, state: 'signed-in', label: 'Canary lab', username },
  ])
  await again.quit()

  // The store's key is lost.
  for (const entry of secrets.entries.keys())
    if (entry.startsWith('store/')) await secrets.deletePassword('', entry)
  const closed = start()
  await closed.modules.store.open()
  expect(closed.modules.store.state().kind).toBe('key-lost')
  await closed.modules.accounts.resume()
  expect(closed.modules.accounts.view().accounts).toMatchObject([
    { id, state: 'signed-in', label: new URL(baseUrl).host },
  ])
  await closed.calls['accounts.connect']({ baseUrl, credential, staySignedIn: true })
  expect(closed.modules.accounts.view().accounts).toMatchObject([{ id, username }])
})
