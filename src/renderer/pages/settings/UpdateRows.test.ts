// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { UpdateState } from '#shared/bridge/updates'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import UpdateNotice from '../../app/shell/UpdateNotice.vue'
import { t } from '../../platform/i18n'
import IdleSection from './IdleSection.vue'
import UpdateRows from './UpdateRows.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (state: UpdateState) => {
  const view = { state, automatic: true }
  const answer = () => view
  const settings = { threshold: 5, minutes: 30 }
  window = await mounted(() => [h(UpdateNotice), h(UpdateRows), h(IdleSection)], {
    'updates.read': answer,
    'updates.check': answer,
    'updates.download': answer,
    'updates.skip': answer,
    'updates.restart': answer,
    'updates.setAutomatic': ({ automatic }) => ({ state, automatic }),
    'idle.settings': () => settings,
    'idle.configure': () => settings,
  })
}
const asked = () =>
  window.main.calls
    .map(([name]) => name)
    .filter((name) => name.startsWith('updates.') && name !== 'updates.read')
const ready: UpdateState = { kind: 'ready', version: '2.0.0', notes: '', heldBy: null }

it('a build without updates shows the reason and no buttons', async () => {
  await open({ kind: 'off', reason: 'package' })
  expect(window.text()).toContain(t('updates.off.package'))
  expect(window.text()).not.toContain(t('updates.check'))
  expect(window.text()).not.toContain(t('updates.automaticText'))
})

it('the user can check for updates and disable the automatic check', async () => {
  await open({ kind: 'idle', checkedAt: null })
  await window.click(t('updates.check'))
  await window.click(window.find('[role=checkbox]'))
  expect(window.main.calls.slice(-1)).toEqual([['updates.setAutomatic', { automatic: false }]])
  expect(asked()).toEqual(['updates.check', 'updates.setAutomatic'])
})

it('a version is downloaded or skipped on request, and its notes are shown as text', async () => {
  await open({ kind: 'available', version: '2.0.0', notes: '<b id="bold">New</b>' })
  expect(window.text()).toContain('<b id="bold">New</b>')
  expect(window.all('#bold')).toEqual([])
  expect(asked()).toEqual([])
  await window.click(t('updates.download'))
  await window.click(t('updates.skip'))
  expect(asked()).toEqual(['updates.download', 'updates.skip'])
})

it('the restart needs a confirmation', async () => {
  await open(ready)
  await window.click(t('updates.restart'))
  expect(asked()).toEqual([])
  expect(window.text()).toContain(t('updates.dialog.text'))
  await window.click(t('updates.dialog.action'))
  expect(asked()).toEqual(['updates.restart'])
})

it('the restart is blocked while a form has unsaved input', async () => {
  await open(ready)
  await window.type(window.find('form input'), '7')
  await window.click(t('updates.restart'))
  expect(window.text()).toContain(t('updates.dialog.unsaved'))
  expect(() => window.named(t('updates.dialog.action'))).toThrow('nothing is named')
})

it.each(['creation', 'transfers'] as const)('the update waits: %s', async (heldBy) => {
  await open({ ...ready, heldBy })
  expect(window.text()).toContain(t(`updates.held.${heldBy}`))
  // The update can be requested again.
  await window.click(t('updates.restart'))
  await window.click(t('updates.dialog.action'))
  expect(asked()).toEqual(['updates.restart'])
})

it('a failed update shows the next step and can be retried', async () => {
  await open({ kind: 'failed', problem: 'damaged', reason: 'ERR_CHECKSUM_MISMATCH' })
  expect(window.text()).toContain(t('updates.failed.damaged.next'))
  expect(window.text()).toContain('ERR_CHECKSUM_MISMATCH')
  await window.click(t('common.actions.retry'))
  expect(asked()).toEqual(['updates.check'])
})

it.each([
  ['available', { kind: 'available', version: '2.0.0', notes: '' }, true],
  ['ready', ready, true],
  ['checking', { kind: 'checking' }, false],
] as const)('the rail shows a waiting version: %s', async (_, state, isShown) => {
  await open(state)
  expect(window.all('a[href*="section=about"]').length > 0).toBe(isShown)
})
