// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { QuarantinedItem } from '#shared/bridge/store'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import QuarantineRows from './QuarantineRows.vue'

const settings: QuarantinedItem = {
  id: 'file:settings.damaged-1.json',
  kind: 'settings',
  name: 'settings.damaged-1.json',
  bytes: 12_345,
}
const database: QuarantinedItem = {
  id: 'file:wheelhouse.set-aside-1.db',
  kind: 'database',
  name: 'wheelhouse.set-aside-1.db',
  bytes: 4_096,
}

it('a quarantined file can be saved, and deleted after a confirmation', async () => {
  const window = await mounted(() => h(QuarantineRows), {
    'store.quarantine': () => [settings, database],
    'store.exportQuarantined': () => ({ file: 'mine.json' }),
    'store.eraseQuarantined': () => [settings],
  })
  onTestFinished(() => window.unmount())
  const calls = (name: string) =>
    window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
  expect(window.text()).toContain('Settings · 13 KB')
  expect(window.all(`[aria-label^="Save "]`)).toHaveLength(1)
  await window.click(t('store.quarantine.saveOne', { name: settings.name }))
  expect(calls('store.exportQuarantined')).toEqual([{ id: settings.id }])
  await window.click(t('store.quarantine.deleteOne', { name: database.name }))
  expect(calls('store.eraseQuarantined')).toEqual([])
  await window.click(t('store.quarantine.delete'))
  expect(calls('store.eraseQuarantined')).toEqual([{ id: database.id }])
  expect(window.text()).not.toContain(database.name)
})

it('the failure of one deletion is not shown for the next file', async () => {
  const window = await mounted(() => h(QuarantineRows), {
    'store.quarantine': () => [settings, database],
    'store.eraseQuarantined': () => {
      throw new FailureError({ kind: 'disk-full' })
    },
  })
  onTestFinished(() => window.unmount())
  await window.click(t('store.quarantine.deleteOne', { name: database.name }))
  await window.click(t('store.quarantine.delete'))
  expect(window.all('dialog [role=alert]')).toHaveLength(1)
  await window.click(t('common.actions.cancel'))
  await window.click(t('store.quarantine.deleteOne', { name: settings.name }))
  expect(window.all('dialog [role=alert]')).toHaveLength(0)
})

it('an empty quarantine shows nothing', async () => {
  const window = await mounted(() => h(QuarantineRows), {})
  onTestFinished(() => window.unmount())
  expect(window.text()).not.toContain(t('store.quarantine.title'))
})
