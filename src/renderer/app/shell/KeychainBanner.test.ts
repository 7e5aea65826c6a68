// @vitest-environment happy-dom
import { world } from '../../../../test/gallery/world'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import KeychainBanner from './KeychainBanner.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (keychainReason: string, closedKeychainNotice?: 'locked' | 'not-running') => {
  window = await mounted(() => h(KeychainBanner), {
    'app.info': () => ({ ...world['app.info'](), keychain: 'unavailable', keychainReason }),
    'settings.read': () => ({ ...world['settings.read'](), closedKeychainNotice }),
    'settings.change': (changes) => ({
      ...world['settings.read'](),
      closedKeychainNotice: changes.closedKeychainNotice,
    }),
  })
}

it.each([
  ['not-installed', 'keytar is not installed', 'npm rebuild keytar'],
  ['not-running', 'Cannot autolaunch D-Bus', 'Start a keyring'],
  ['no-collection', 'Object does not exist at path “/org/freedesktop/secrets/x”', 'Create a keyring'],
  ['locked', 'Cannot create an item in a locked collection', 'Unlock your keyring'],
] as const)('the banner explains a keychain that is %s and what to do', async (problem, reason, advice) => {
  await open(reason)
  expect(window.text()).toContain(t(`common.keychain.title.${problem}`))
  expect(window.text()).toContain(advice)
  expect(window.text()).toContain(reason)
})

it('a closed banner stays closed for the same problem only', async () => {
  await open('Cannot autolaunch D-Bus')
  await window.click(t('common.keychain.dismiss'))
  expect(window.main.calls.filter(([name]) => name === 'settings.change').map(([, input]) => input)).toEqual([
    { closedKeychainNotice: 'not-running' },
  ])
  expect(window.all('aside')).toHaveLength(0)
  window.unmount()
  await open('Cannot autolaunch D-Bus', 'not-running')
  expect(window.all('aside')).toHaveLength(0)
  window.unmount()
  await open('Cannot autolaunch D-Bus', 'locked')
  expect(window.all('aside')).toHaveLength(1)
})

it('the banner offers to unlock only a locked keychain', async () => {
  await open('Cannot create an item in a locked collection')
  await window.click(window.named(t('common.actions.retry')))
  expect(window.main.calls.filter(([name]) => name === 'store.retry')).toHaveLength(1)
  window.unmount()
  await open('Cannot autolaunch D-Bus')
  expect(window.text()).not.toContain(t('common.actions.retry'))
})
