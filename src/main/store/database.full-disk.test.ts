import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { makeStore } from '../../../test/fixtures/store'
import type { Store } from './database'

const write = (store: Store, rows: number, from = 0): void => {
  const database = store.database()
  const insert = database?.prepare('INSERT INTO ledger_sync (account, list, state) VALUES (?, ?, ?)')
  database?.transaction(() => {
    for (let row = from; row < from + rows; row += 1) insert?.run(String(row), 'statements', 'x'.repeat(1000))
  })
}
const count = (store: Store): unknown =>
  store.database()?.prepare('SELECT count(*) AS count FROM ledger_sync').get()?.count

/** Expects that new data is refused and that stored data stays. */
const expectFull = (store: Store): void => {
  expect(() => write(store, 20_000, 100)).toThrow(/local-fault/)
  expect(store.state()).toEqual({ kind: 'disk-full' })
  expect(count(store)).toBe(100)
}

describe('a store on a full disk', () => {
  it('reports it, keeps its data, and continues once there is room', async () => {
    const { store, pass } = makeStore()
    await store.open()
    write(store, 100)
    store.database()?.exec('PRAGMA max_page_count = 200')
    expectFull(store)
    store.database()?.exec('PRAGMA max_page_count = 1000000')
    pass()
    expect(store.state()).toEqual({ kind: 'open', quarantined: null })
    write(store, 20_000, 100)
    expect(count(store)).toBe(20_100)
  })
})

const reason = whyNoSmallDisk()
describe.skipIf(reason)(
  `on a disk that is really full the store${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    const fill = (folder: string, leave: number): void => {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - leave))
    }

    it('reports it, keeps its data even over a restart, and continues once there is room', async () => {
      const folder = smallDisk('32m')
      const secrets = memorySecrets()
      const first = makeStore({ folder, secrets })
      await first.store.open()
      write(first.store, 100)
      fill(folder, 200_000)
      expectFull(first.store)
      first.pass()
      expect(first.store.state()).toEqual({ kind: 'disk-full' })
      await first.store.close()
      const { store, pass } = makeStore({ folder, secrets })
      await store.open()
      expect(count(store)).toBe(100)
      expect(() => write(store, 20_000, 100)).toThrow(/local-fault/)
      rmSync(join(folder, 'ballast'))
      pass()
      expect(store.state()).toEqual({ kind: 'open', quarantined: null })
      write(store, 5_000, 100)
      expect(count(store)).toBe(5_100)
    })

    it('works in memory until it can create its file', async () => {
      const folder = smallDisk('16m')
      fill(folder, 0)
      const { store, pass, whenState } = makeStore({ folder })
      await store.open()
      expect(store.state()).toEqual({ kind: 'disk-full' })
      write(store, 10)
      expect(count(store)).toBe(10)
      rmSync(join(folder, 'ballast'))
      pass()
      await whenState('open')
      expect(count(store)).toBe(0)
    })
  },
)
