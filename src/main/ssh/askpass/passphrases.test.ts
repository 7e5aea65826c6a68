import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { memorySecrets } from '../../../../test/fixtures/memory-secrets'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { yieldToEventLoop } from '../../core/clock'
import { openKeychain } from '../../store/keychain'
import { openSettings } from '../../store/settings'
import { createPassphrases } from './passphrases'

it('a passphrase that is being stored does not survive `forget`', async () => {
  const secrets = memorySecrets()
  const settings = openSettings(join(temporaryFolder(), 'settings'))
  onTestFinished(() => settings.flushed())
  const keychain = openKeychain({ load: () => Promise.resolve(secrets), timeoutSeconds: 5 })
  const passphrases = createPassphrases(keychain, settings)
  const keeping = passphrases.keep('/none/id_ed25519', 'canary', 'keychain')
  // Noted, and not in the keychain yet.
  while (passphrases.count() === 0) await yieldToEventLoop()
  await Promise.all([keeping, passphrases.forget()])
  expect([...secrets.entries.values()]).not.toContain('canary')
  expect(passphrases.count()).toBe(0)
  expect(await passphrases.read('/none/id_ed25519')).toBeNull()
})
