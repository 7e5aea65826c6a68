// @vitest-environment happy-dom
import '../../../../test/gallery/fake-main'
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { KeptAside } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import KeptAsideRows from './QuarantineRows.vue'

const settings: KeptAside = {
  ...{ id: 'memory:settings.plain.json', kind: 'settings', name: 'settings.plain.json' },
  ...{ bytes: 12_345, lasts: false },
}
const database: KeptAside = {
  ...{ id: 'file:wheelhouse.set-aside-1.db', kind: 'database', name: 'wheelhouse.set-aside-1.db' },
  ...{ bytes: 4_096, lasts: true },
}

it('what was set aside can be saved, and deleted once that is confirmed', async () => {
  const window = await mounted(() => h(KeptAsideRows), {
    'store.keptAside': () => [settings, database],
    'store.exportAside': () => ({ file: 'mine.json' }),
    'store.eraseAside': () => [settings],
  })
  onTestFinished(() => window.unmount())
  const calls = (name: string) =>
    window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
  expect(window.text()).toContain('Settings · 13 KB · Kept until you quit')
  expect(window.all(`[aria-label^="Save "]`)).toHaveLength(1)
  await window.click(t('store.aside.saveOne', { name: settings.name }))
  expect(calls('store.exportAside')).toEqual([{ id: settings.id }])
  await window.click(t('store.aside.deleteOne', { name: database.name }))
  expect(calls('store.eraseAside')).toEqual([])
  await window.click(t('store.aside.delete'))
  expect(calls('store.eraseAside')).toEqual([{ id: database.id }])
  expect(window.text()).not.toContain(database.name)
})

it('why one could not be deleted is not said of the next', async () => {
  const window = await mounted(() => h(KeptAsideRows), {
    'store.keptAside': () => [settings, database],
    'store.eraseAside': () => {
      throw new FailureError({ kind: 'disk-full' })
    },
  })
  onTestFinished(() => window.unmount())
  await window.click(t('store.aside.deleteOne', { name: database.name }))
  await window.click(t('store.aside.delete'))
  expect(window.all('dialog [role=alert]')).toHaveLength(1)
  await window.click(t('common.actions.cancel'))
  await window.click(t('store.aside.deleteOne', { name: settings.name }))
  expect(window.all('dialog [role=alert]')).toHaveLength(0)
})

it('nothing is shown where nothing was set aside', async () => {
  const window = await mounted(() => h(KeptAsideRows), {})
  onTestFinished(() => window.unmount())
  expect(window.text()).not.toContain(t('store.aside.title'))
})
