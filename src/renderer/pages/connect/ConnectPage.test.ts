// @vitest-environment happy-dom
import { world } from '../../../../test/gallery/world'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import ConnectPage from './ConnectPage.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the page mentions the keychain only after it was used', async () => {
  window = await mounted(() => h(ConnectPage), {
    'accounts.list': () => ({ accounts: [], selected: null }),
    'store.state': () => ({ kind: 'opening' }),
  })
  const promised = () => window.all('.promise').some(({ style }) => style.visibility !== 'hidden')
  expect(promised()).toBe(false)
  window.main.emit('store.changed', { kind: 'open', quarantined: null })
  await window.settled()
  expect(promised()).toBe(true)
  window.main.emit('app.changed', { ...world['app.info'](), keychain: 'unavailable', keychainReason: 'none' })
  await window.settled()
  expect(promised()).toBe(false)
})
