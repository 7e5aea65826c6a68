import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { storeFolder } from '../../../test/fixtures/store'
import { createStore } from './database'
import { openKeychain } from './keychain'

it('a large log is moved into the file, which then has a new digest', async () => {
  const folder = storeFolder()
  const clock = fakeClock()
  const secrets = memorySecrets()
  const keychain = openKeychain({ load: () => Promise.resolve(secrets), timeoutSeconds: 5 })
  const store = createStore({ folder, keychain, clock })
  await store.open()
  const bytes = (suffix: string): number => statSync(join(folder, `wheelhouse.db${suffix}`)).size
  const digest = (): string => readFileSync(join(folder, 'wheelhouse.db.digest'), 'utf8')
  await expect.poll(digest).toMatch(/^[0-9a-f]{64}$/m)
  const before = digest()
  const insert = store.file()?.prepare('INSERT OR REPLACE INTO document VALUES (?, ?)')
  const write = (from: number, count: number) =>
    store.file()?.transaction(() => {
      for (let row = from; row < from + count; row += 1) insert?.run(String(row), 'x'.repeat(1_000_000))
    })
  write(0, 2)
  clock.advance(20)
  expect(bytes('-wal')).toBeGreaterThan(1_000_000)
  expect(digest()).toBe(before)
  write(2, 18)
  expect(bytes('')).toBeLessThan(1_000_000)
  clock.advance(20)
  expect(bytes('-wal')).toBe(0)
  expect(bytes('')).toBeGreaterThan(19_000_000)
  await expect.poll(digest).toMatch(/^[0-9a-f]{64}$/m)
  expect(digest()).not.toBe(before)
  await store.close()
})
