// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, ledger, world } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import LedgerProgress from './LedgerProgress.vue'
import StoreNotice from './StoreNotice.vue'

let window: Mounted
afterEach(() => window.unmount())

describe('StoreNotice', () => {
  it('offers what helps: another try, or to begin anew', async () => {
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

  it('leaves a locked keychain to the banner above the page', async () => {
    window = await mounted(() => h(StoreNotice), {
      'app.info': () => ({ ...world['app.info'](), keychain: 'unavailable', keychainReason: 'locked' }),
      'store.state': () => ({ kind: 'locked', reason: 'locked' }),
    })
    expect(window.all('[role=complementary]')).toEqual([])
  })

  it('is hidden until the store is in another state', async () => {
    window = await mounted(() => h(StoreNotice), { 'store.state': () => ({ kind: 'disk-full' }) })
    await window.click(t('common.actions.hide'))
    expect(window.all('[role=complementary]')).toEqual([])
    window.main.emit('store.changed', { kind: 'failed', reason: 'EIO' })
    await window.settled()
    expect(window.all('[role=complementary]')).toHaveLength(1)
  })
})

describe('LedgerProgress', () => {
  const open = (changes: Parameters<typeof ledger>[0]) =>
    mounted(() => h(LedgerProgress, { account }), {
      'ledger.state': () => ledger({ complete: false, ...changes }),
    })
  const failure = { kind: 'forbidden' } as const

  it('shows how far the reading is, also after it was interrupted', async () => {
    window = await open({ known: 4_800, failure })
    expect(window.text()).toContain('4,800')
    expect(window.all('[role=progressbar]')).toHaveLength(1)
  })

  it('shows only why where nothing could be read', async () => {
    window = await open({ known: 0, total: null, failure })
    expect(window.text()).toContain('Access denied')
    expect(window.all('[role=progressbar], [role=status]')).toEqual([])
  })
})
