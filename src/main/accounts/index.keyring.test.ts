import { spawnSync } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { connect, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { openKeychain } from '../store/keychain'
import { passwordDigest } from './wire-credential'

/** Reads an entry of the keyring with another program. */
const lookUp = (account: string): string =>
  spawnSync('secret-tool', ['lookup', 'service', 'Wheelhouse', 'account', account], { encoding: 'utf8' })
    .stdout

describeWith(['keyring'], 'the real keyring', () => {
  const written: string[] = []
  afterEach(async () => {
    const keychain = openKeychain()
    for (const entry of written.splice(0)) await keychain.remove(entry)
  })

  it('stores keychain entries under the application’s name until they are removed', async () => {
    const entry = `keyring-test-${String(process.pid)}/api-token`
    written.push(entry)
    const keychain = openKeychain()
    expect(await keychain.read(entry)).toBeUndefined()
    await keychain.write(entry, 'sëcret')
    expect(lookUp(entry)).toBe('sëcret')
    expect(await openKeychain().read(entry)).toBe('sëcret')
    await keychain.remove(entry)
    expect(lookUp(entry)).toBe('')
    expect(keychain.state()).toEqual({ available: true, reason: null })
  })

  it('keeps an account signed in over a restart, until it is forgotten', async () => {
    const sandbox = await runSandbox()
    const { default: keytar } = await import('keytar')
    const harness = await setUp({ secrets: keytar })
    const { id } = await connect(harness, sandbox)
    const entry = `${id}/password-digest`
    written.push(entry)
    expect(lookUp(entry)).toBe(passwordDigest(sandbox.password))
    const accounts = await harness.restart()
    await accounts.resume()
    expect(accounts.view().accounts).toMatchObject([{ id, state: 'signed-in', staysSignedIn: true }])
    await accounts.handlers['accounts.forget']({ account: id })
    expect(lookUp(entry)).toBe('')
  })
})
