import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { type KeychainState, openKeychain, type SecretStore } from './keychain'

const open = (store: SecretStore, seconds = 5) => {
  const keychain = openKeychain({ load: () => Promise.resolve(store), timeoutSeconds: seconds })
  const states: KeychainState[] = []
  keychain.onChange((state) => states.push(state))
  return { keychain, states }
}

const unavailable = (reason: string) => ({ failure: { kind: 'keychain-unavailable', reason } })

describe('the keychain', () => {
  it('keeps one secret per entry', async () => {
    const secrets = memorySecrets()
    const { keychain, states } = open(secrets)
    await keychain.write('a/password-digest', 'one')
    await keychain.write('a/api-token', 'two')
    expect(await keychain.read('a/password-digest')).toBe('one')
    await keychain.remove('a/password-digest')
    expect(await keychain.read('a/password-digest')).toBeUndefined()
    expect([...secrets.entries]).toEqual([['a/api-token', 'two']])
    expect(states).toEqual([])
  })

  it('reports once why it cannot be used, and that it can be used again', async () => {
    const secrets = memorySecrets()
    const { keychain, states } = open(secrets)
    secrets.failing = 'Cannot autolaunch D-Bus'
    await expect(keychain.read('a')).rejects.toMatchObject(unavailable('Cannot autolaunch D-Bus'))
    await expect(keychain.write('a', 'x')).rejects.toMatchObject(unavailable('Cannot autolaunch D-Bus'))
    secrets.failing = null
    expect(await keychain.check()).toEqual({ available: true, reason: null })
    expect(states).toEqual([
      { available: false, reason: 'Cannot autolaunch D-Bus' },
      { available: true, reason: null },
    ])
  })

  it('reports that keytar is not installed', async () => {
    const load = () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }))
    await expect(openKeychain({ load }).read('a')).rejects.toMatchObject(
      unavailable('keytar is not installed'),
    )
  })

  it('uses one thread of the pool, however many calls wait', async () => {
    let calls = 0
    let most = 0
    const slow: SecretStore = {
      ...memorySecrets(),
      getPassword: async () => {
        calls += 1
        most = Math.max(most, calls)
        await new Promise((resolve) => setImmediate(resolve))
        calls -= 1
        return null
      },
    }
    const { keychain } = open(slow)
    await Promise.all(Array.from({ length: 8 }, () => keychain.read('a')))
    expect(most).toBe(1)
  })

  it('times out on a locked keyring, and fails at once while that call still waits', async () => {
    const secrets = memorySecrets()
    const unlock = secrets.lock()
    const { keychain, states } = open(secrets, 0.05)
    const reads = [keychain.read('a'), keychain.read('b')]
    for (const read of reads)
      await expect(read).rejects.toMatchObject(unavailable('no answer for 0.05 seconds'))
    // Runs before any work that waits for the system or a timer.
    const asked = keychain.read('c').catch((error: unknown) => error)
    const next = new Promise((resolve) => setImmediate(() => resolve('waits')))
    expect(await Promise.race([asked, next])).toMatchObject(unavailable('no answer for 0.05 seconds'))
    const recovered = new Promise<KeychainState>((resolve) => keychain.onChange(resolve))
    unlock()
    expect(await recovered).toEqual({ available: true, reason: null })
    expect(await keychain.read('a')).toBeUndefined()
    expect(states).toHaveLength(2)
  })

  it('undoes a write that succeeds after its timeout, so that a failure means that nothing is stored', async () => {
    const secrets = memorySecrets()
    const unlock = secrets.lock()
    const { keychain } = open(secrets, 0.05)
    await expect(keychain.write('a', 'secret')).rejects.toMatchObject(
      unavailable('no answer for 0.05 seconds'),
    )
    const recovered = new Promise<KeychainState>((resolve) => keychain.onChange(resolve))
    unlock()
    await recovered
    expect([...secrets.entries]).toEqual([])
  })

  it('does not mistake a locked keyring that the user refuses to open for an empty one', async () => {
    const secrets = memorySecrets()
    const { keychain } = open(secrets)
    await keychain.write('a', 'secret')
    secrets.refused = true
    await expect(keychain.remove('a')).rejects.toMatchObject(
      unavailable('Cannot create an item in a locked collection'),
    )
    secrets.refused = false
    await keychain.remove('a')
    await keychain.remove('a')
    expect([...secrets.entries]).toEqual([])
  })

  it('counts as back only after a use if reads of a missing entry always succeed', async () => {
    const secrets = memorySecrets()
    const { keychain, states } = open(secrets)
    secrets.refused = true
    await expect(keychain.write('a', 'x')).rejects.toMatchObject({
      failure: { kind: 'keychain-unavailable' },
    })
    expect(await keychain.check()).toMatchObject({ available: false })
    expect(states).toHaveLength(1)
    secrets.refused = false
    await keychain.write('a', 'x')
    expect(await keychain.check()).toEqual({ available: true, reason: null })
    expect(states).toHaveLength(2)
  })
})
