import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore, storeFolder } from '../../../test/fixtures/store'
import type { Database, Store } from './database'
import { schema } from './schema'

const remember = (store: Store, word: string): void => {
  store
    .database()
    ?.prepare('INSERT INTO ledger_sync (account, list, state) VALUES (?, ?, ?)')
    .run(word, 'statements', '{}')
}
const remembered = (database: Database | undefined): readonly unknown[] | undefined =>
  database?.prepare('SELECT account FROM ledger_sync ORDER BY account').arrays().flat()

/** A folder with a closed store that contains one word, and the keychain with its key. */
const usedStore = async () => {
  const secrets = memorySecrets()
  const { folder, store } = makeStore({ secrets })
  await store.open()
  remember(store, 'confidential')
  await store.close()
  return { folder, secrets, path: join(folder, 'wheelhouse.db') }
}

describe('the store', () => {
  it('asks a keychain that was locked after the file had opened when the user retries', async () => {
    const secrets = memorySecrets()
    const { keychain, store } = makeStore({ secrets })
    await store.open()
    secrets.failing = 'locked'
    await keychain.read('entry').catch(() => undefined)
    expect(keychain.state().available).toBe(false)
    await store.handlers['store.retry']({})
    expect(keychain.state().available).toBe(false)
    secrets.failing = null
    expect(await store.handlers['store.retry']({})).toEqual({ kind: 'open', quarantined: null })
    expect(keychain.state().available).toBe(true)
  })

  it('keeps its data in an encrypted file that only its owner can read', async () => {
    const { folder, secrets, path } = await usedStore()
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: null })
    expect(remembered(store.database())).toEqual(['confidential'])
    remember(store, 'confidential too')
    expect(statSync(path).mode & 0o077).toBe(0)
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
    for (const file of files) {
      expect(file.includes('confidential')).toBe(false)
      for (const key of secrets.entries.values()) expect(file.includes(key)).toBe(false)
    }
    expect(files.length).toBeGreaterThan(2)
  })

  it('opens no file and uses no keychain before it is needed', () => {
    const secrets = memorySecrets()
    const { folder, store } = makeStore({ secrets })
    expect(store.state()).toEqual({ kind: 'opening' })
    expect(store.database()).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it('has one key in the keychain per file', async () => {
    const { folder, secrets } = await usedStore()
    const [entry] = [...secrets.entries.keys()]
    expect(secrets.entries.size).toBe(1)
    expect(readFileSync(join(folder, 'wheelhouse.db.key-id'), 'utf8')).toContain(entry?.replace('store/', ''))
  })
})

describe('a store that is closed while it opens', () => {
  it('leaves no key id', async () => {
    const secrets = memorySecrets()
    const unlock = secrets.lock()
    const { folder, store } = makeStore({ secrets })
    const opening = store.open()
    await store.close()
    unlock()
    await opening
    expect(readdirSync(folder)).toEqual([])
    expect(store.database()).toBeUndefined()
  })
})

describe('without a keychain the store', () => {
  it('reports that, writes nothing, and keeps its data in memory', async () => {
    const secrets = memorySecrets()
    secrets.failing = 'Cannot autolaunch D-Bus without X11 $DISPLAY'
    const { folder, store } = makeStore({ secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'no-keychain', reason: secrets.failing })
    remember(store, 'for now')
    expect(remembered(store.database())).toEqual(['for now'])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('while the keychain is locked the store', () => {
  it('waits, leaves the file unchanged, and opens it once the keychain opens', async () => {
    const { folder, secrets, path } = await usedStore()
    const before = readFileSync(path)
    const unlock = secrets.lock()
    const { store, whenState } = makeStore({ folder, secrets, seconds: 0.05 })
    await store.open()
    expect(store.state()).toEqual({ kind: 'locked', reason: 'no answer for 0.05 seconds' })
    expect(readFileSync(path)).toEqual(before)
    expect(remembered(store.database())).toEqual([])
    unlock()
    await whenState('open')
    expect(remembered(store.database())).toEqual(['confidential'])
  })

  it('treats a keyring whose owner refuses to unlock it as locked, not as one without the key', async () => {
    const { folder, secrets, path } = await usedStore()
    const before = readFileSync(path)
    secrets.refused = true
    const { store, keychain, whenState } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toMatchObject({ kind: 'locked' })
    await store.startAfresh()
    expect(readFileSync(path)).toEqual(before)
    secrets.refused = false
    await keychain.write('something', 'else')
    await whenState('open')
    expect(remembered(store.database())).toEqual(['confidential'])
  })

  it('does not prompt again after the user refused to unlock the keychain', async () => {
    const { folder, secrets } = await usedStore()
    secrets.refused = true
    const { store, keychain } = makeStore({ folder, secrets })
    await expect(keychain.write('something', 'else')).rejects.toThrow()
    let asked = 0
    secrets.getPassword = () => {
      asked += 1
      return Promise.resolve(null)
    }
    await store.open()
    expect(store.state()).toMatchObject({ kind: 'locked' })
    expect(asked).toBe(0)
  })
})

describe('a store whose key is lost', () => {
  it('reports that, leaves the file unchanged, and reads it again once the key is back', async () => {
    const { folder, secrets, path } = await usedStore()
    const before = readFileSync(path)
    const [entry, key] = [...secrets.entries][0] ?? ['', '']
    await secrets.deletePassword('', entry)
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'key-lost' })
    expect(readFileSync(path)).toEqual(before)
    expect(secrets.entries.size).toBe(0)
    await secrets.setPassword('', entry, key)
    await store.open()
    expect(remembered(store.database())).toEqual(['confidential'])
  })

  it('distinguishes a wrong key from damage', async () => {
    const { folder, secrets } = await usedStore()
    const [entry] = [...secrets.entries.keys()]
    await secrets.setPassword('', entry ?? '', 'ab'.repeat(32))
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'key-lost' })
  })

  it('does not replace a file whose key id is missing', async () => {
    const { folder, secrets } = await usedStore()
    writeFileSync(join(folder, 'wheelhouse.db.key-id'), 'nonsense')
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'key-lost' })
  })

  it("creates a new file at the user's request, and keeps the old file with its key id", async () => {
    const { folder, secrets, path } = await usedStore()
    const before = readFileSync(path)
    await secrets.deletePassword('', [...secrets.entries.keys()][0] ?? '')
    const { store } = makeStore({ folder, secrets })
    await store.open()
    await store.startAfresh()
    expect(store.state()).toEqual({ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' })
    expect(remembered(store.database())).toEqual([])
    expect(readFileSync(join(folder, 'wheelhouse.set-aside-1.db'))).toEqual(before)
    expect(existsSync(join(folder, 'wheelhouse.set-aside-1.db.key-id'))).toBe(true)
  })
})

describe('a damaged file', () => {
  it('is quarantined and replaced by a new one', async () => {
    const { folder, secrets, path } = await usedStore()
    const damaged = readFileSync(path).fill(7, 0, 512)
    writeFileSync(path, damaged)
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' })
    expect(remembered(store.database())).toEqual([])
    expect(readFileSync(join(folder, 'wheelhouse.set-aside-1.db'))).toEqual(damaged)
    remember(store, 'new')
    await store.close()
    const again = makeStore({ folder, secrets })
    await again.store.open()
    expect(again.store.state()).toEqual({ kind: 'open', quarantined: null })
    expect(remembered(again.store.database())).toEqual(['new'])
  })

  it('is quarantined even if the damage appears only during use', async () => {
    const { folder, secrets, path } = await usedStore()
    const { store, whenState } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: null })
    // All pages except the schema's.
    writeFileSync(path, readFileSync(path).fill(7, 4096))
    const replaced = new Promise<void>((resolve) => store.onChange(() => resolve()))
    expect(() => remembered(store.database())).toThrow()
    await replaced
    await whenState('open')
    expect(store.state()).toEqual({ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' })
    expect(remembered(store.database())).toEqual([])
  })
})

describe('damage that several statements detect', () => {
  it('quarantines the file once', async () => {
    const { folder, secrets, path } = await usedStore()
    const { store } = makeStore({ folder, secrets })
    await store.open()
    writeFileSync(path, readFileSync(path).fill(7, 4096))
    const states: unknown[] = []
    store.onChange((state) => states.push(state))
    expect(() => remembered(store.database())).toThrow()
    expect(() => remembered(store.database())).toThrow()
    await expect.poll(() => states.length).toBeGreaterThan(0)
    remember(store, 'new')
    // Runs after all other pending work.
    await new Promise((resolve) => setImmediate(resolve))
    await store.startAfresh()
    expect(states).toEqual([{ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' }])
    expect(remembered(store.database())).toEqual(['new'])
  })
})

describe('a damaged file that cannot be renamed', () => {
  it('is reported, and quarantined at the next start', async () => {
    const { folder, secrets, path } = await usedStore()
    writeFileSync(path, readFileSync(path).fill(7, 0, 512))
    // As on Windows, where the old file is still locked: the rename fails.
    const way = makeStore({
      folder,
      secrets,
      rename: () => {
        throw new Error('EBUSY')
      },
    })
    await way.store.open()
    expect(way.store.state()).toMatchObject({ kind: 'damaged' })
    remember(way.store, 'for now')
    await way.store.close()
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' })
  })
})

describe('a file of another schema version', () => {
  it('is set aside unchanged, and a new file is created', async () => {
    const [folder, secrets] = [storeFolder(), memorySecrets()]
    const path = join(folder, 'wheelhouse.db')
    const later = { version: schema.version + 1, sql: schema.sql }
    const newer = makeStore({ folder, secrets, schema: later })
    await newer.store.open()
    remember(newer.store, 'later')
    await newer.store.close()
    const before = readFileSync(path)
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: 'wheelhouse.set-aside-1.db' })
    expect(remembered(store.database())).toEqual([])
    expect(readFileSync(join(folder, 'wheelhouse.set-aside-1.db'))).toEqual(before)
  })
})

describe('a schema that cannot be created', () => {
  it('leaves an empty file, which the next start uses', async () => {
    const wrong = {
      version: schema.version,
      sql: 'CREATE TABLE half (x TEXT); INSERT INTO absent VALUES (1)',
    }
    const [folder, secrets] = [storeFolder(), memorySecrets()]
    const broken = makeStore({ folder, secrets, schema: wrong })
    await broken.store.open()
    expect(broken.store.state()).toMatchObject({ kind: 'failed' })
    await broken.store.close()
    const { store } = makeStore({ folder, secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: null })
    remember(store, 'new')
    expect(remembered(store.database())).toEqual(['new'])
  })
})

describe('a store whose database library is not usable', () => {
  it('reports that the library is missing', async () => {
    const load = () => Promise.reject(new Error('no binary for win32-arm64-msvc'))
    const { folder, store } = makeStore({ load })
    await store.open()
    expect(store.state()).toEqual({ kind: 'unsupported', reason: 'no binary for win32-arm64-msvc' })
    expect(store.database()).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it('reports the message of the system', async () => {
    const folder = storeFolder()
    const { store } = makeStore({ folder: join(folder, 'file') })
    writeFileSync(join(folder, 'file'), 'not a folder')
    await store.open()
    expect(store.state()).toMatchObject({ kind: 'failed' })
    chmodSync(folder, 0o700)
  })
})
