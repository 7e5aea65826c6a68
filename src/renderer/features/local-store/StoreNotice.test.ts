// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { world } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import StoreNotice from './StoreNotice.vue'

let window: Mounted
afterEach(() => window.unmount())

it('offers to try again, or to start afresh', async () => {
  window = await mounted(() => h(StoreNotice), {
    'store.state': () => ({ kind: 'locked', reason: texts.html }),
    'store.retry': () => ({ kind: 'key-lost' }),
    'store.startAfresh': () => ({ kind: 'open', quarantined: null }),
  })
  expect(window.text()).toContain(texts.html)
  await window.click(t('store.retry'))
  await window.click(t('store.startAfresh'))
  expect(window.all('[role=complementary]')).toEqual([])
})

it('leaves a locked keychain to the banner', async () => {
  window = await mounted(() => h(StoreNotice), {
    'app.info': () => ({ ...world['app.info'](), keychain: 'unavailable', keychainReason: 'locked' }),
    'store.state': () => ({ kind: 'locked', reason: 'locked' }),
  })
  expect(window.all('[role=complementary]')).toEqual([])
})

it('stays hidden until the store’s state changes', async () => {
  window = await mounted(() => h(StoreNotice), { 'store.state': () => ({ kind: 'disk-full' }) })
  await window.click(t('common.actions.hide'))
  expect(window.all('[role=complementary]')).toEqual([])
  window.main.emit('store.changed', { kind: 'failed', reason: 'EIO' })
  await window.settled()
  expect(window.all('[role=complementary]')).toHaveLength(1)
})
