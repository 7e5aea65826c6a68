import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { must } from '../../../test/fixtures/service-client'

/** An installation with one account signed in by token, whose ledger was read. */
async function installationWithLedger() {
  const { baseUrl, apiToken: token } = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-unreadable-account-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const secrets = memorySecrets()
  const start = () => startModules({ folder, secrets, clock: fakeClock(Date.now() / 1000), fetch })
  const first = start()
  const credential = { kind: 'api-token', token } as const
  const { id } = await first.calls['accounts.connect']({ baseUrl, credential, staySignedIn: true })
  await first.calls['accounts.rename']({ account: id, label: 'Lab' })
  await first.modules.store.open()
  await first.modules.ledger.syncNow(id)
  await first.calls['notes.change']({ account: id, resource: 'm1', note: { text: 'paper', tags: [] } })
  const { known } = first.modules.ledger.state(id)
  expect(known).toBeGreaterThan(0)
  await first.quit()
  const path = join(folder, 'settings.json')
  return {
    id,
    known,
    secrets,
    start,
    /** Replaces text in the settings, as a later version may do. */
    rewrite: (from: string, to: string) => {
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(from)
      writeFileSync(path, text.replace(from, to))
    },
  }
}

it('an account that this version cannot read keeps its profile, label, notes and ledger', async () => {
  const { id, known, start, rewrite } = await installationWithLedger()
  rewrite('"credential": "api-token"', '"credential": "passkey"')
  const older = start()
  await older.modules.store.open()
  expect(older.modules.accounts.view().accounts).toEqual([])
  // Adds and removes another account.
  const other = await runSandbox()
  const { id: added } = await older.calls['accounts.connect']({
    baseUrl: other.baseUrl,
    credential: { kind: 'api-token', token: other.apiToken },
    staySignedIn: false,
  })
  await older.calls['accounts.forget']({ account: added })
  await older.quit()

  rewrite('"credential": "passkey"', '"credential": "api-token"')
  const later = start()
  await later.modules.store.open()
  expect(later.modules.accounts.view().accounts).toMatchObject([{ id, label: 'Lab' }])
  expect(later.modules.ledger.state(id)).toMatchObject({ known })
  expect(await later.calls['notes.list']({ account: id })).toMatchObject({ m1: { text: 'paper' } })
})

it('the rows of an account that was removed while the store was closed are deleted when it opens', async () => {
  const { id, secrets, start } = await installationWithLedger()
  const key = [...secrets.entries].filter(([name]) => name.startsWith('store/'))
  for (const [name] of key) await secrets.deletePassword('', name)
  const closed = start()
  await closed.modules.store.open()
  expect(closed.modules.store.state().kind).toBe('key-lost')
  await closed.calls['accounts.forget']({ account: id })
  await closed.quit()

  for (const [name, value] of key) await secrets.setPassword('', name, value)
  const open = start()
  await open.modules.store.open()
  const database = must(open.modules.store.database())
  const rows = () =>
    ['statement', 'usage_entry', 'ledger_sync'].map((table) =>
      database.prepare(`SELECT count(*) FROM ${table} WHERE account = ?`).arrays(id).flat(),
    )
  await expect.poll(rows).toEqual([[0], [0], [0]])
})
