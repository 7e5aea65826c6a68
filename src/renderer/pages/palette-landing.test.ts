// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { afterEach, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { t } from '../platform/i18n'
import MachinesPage from './machines/MachinesPage.vue'
// The page loads its code when a panel is first shown.
import './machines/panel/MachinePanel.vue'
import SettingsPage from './settings/SettingsPage.vue'

let window: Mounted
afterEach(() => window.unmount())

it('asks for the action that the palette names, once', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { act: 'delete' } })
  await vi.waitFor(() =>
    expect(window.text()).toContain(t('machineActions.confirm.delete.title', { machine: 'notebook-anna' })),
  )
  expect(window.router.currentRoute.value.query).toEqual({})
})

it('opens the tab that the palette names', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { tab: 'notes' } })
  await vi.waitFor(() =>
    expect(window.find('[role=tab][aria-selected=true]').textContent).toContain(t('notes.tab')),
  )
})

it('lands in the section of the settings that the palette names', async () => {
  window = await mounted(() => h(SettingsPage))
  await window.router.push({ name: 'settings', query: { section: 'limits' } })
  await vi.waitFor(() => expect(document.activeElement?.closest('[data-section]')).not.toBeNull())
  expect(document.activeElement?.closest('[data-section]')?.getAttribute('data-section')).toBe('limits')
})
