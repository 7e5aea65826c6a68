import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { makeStore } from '../../../test/fixtures/store'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { parseKeyId } from './store-key'

const lookUp = (entry: string): string =>
  spawnSync('secret-tool', ['lookup', 'service', 'Wheelhouse', 'account', entry], { encoding: 'utf8' }).stdout

describeWith(['keyring'], 'with the real keyring the store', () => {
  it('the store finds its key again, and reports a lost key', async () => {
    const { default: secrets } = await import('keytar')
    const { folder, store } = makeStore({ secrets })
    await store.open()
    expect(store.state()).toEqual({ kind: 'open', quarantined: null })
    store.database()?.exec("INSERT INTO ledger_sync VALUES ('a', 'statements', '{}')")
    await store.close()
    const keyId = parseKeyId(readFileSync(`${folder}/wheelhouse.db.key-id`, 'utf8'))
    const entry = `store/${String(keyId?.keyId)}`
    onTestFinished(async () => void (await secrets.deletePassword('Wheelhouse', entry)))
    expect(lookUp(entry)).toMatch(/^[0-9a-f]{64}$/)

    const again = makeStore({ folder, secrets })
    await again.store.open()
    expect(again.store.database()?.prepare('SELECT account FROM ledger_sync').all()).toEqual([
      { account: 'a' },
    ])
    await again.store.close()

    const key = lookUp(entry)
    await secrets.deletePassword('Wheelhouse', entry)
    const without = makeStore({ folder, secrets })
    await without.store.open()
    expect(without.store.state()).toEqual({ kind: 'key-lost' })
    await secrets.setPassword('Wheelhouse', entry, key)
    await without.store.open()
    expect(without.store.state()).toEqual({ kind: 'open', quarantined: null })
  })
})
