// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { account, machine, sandboxAccount } from '../../../test/gallery/world'
import { showMachine } from '../features/navigation/navigate'
import { t } from '../platform/i18n'
import MachinesPage from './machines/MachinesPage.vue'
// The page loads its code when a panel is first shown.
import './machines/panel/MachinePanel.vue'
import '../features/machine-actions/ActionDialog.vue'
import { volumeNamed } from '../features/volumes/volume.fixture'
import VolumesPage from './volumes/VolumesPage.vue'
import './volumes/VolumePanel.vue'
import SettingsPage from './settings/SettingsPage.vue'

let window: Mounted
afterEach(() => window.unmount())

it('asks for the action that the palette names, once', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { act: 'delete' } })
  await expect
    .poll(() => window.text())
    .toContain(t('machineActions.confirm.delete.title', { machine: 'notebook-anna' }))
  expect(window.router.currentRoute.value.query).toEqual({})
})

it('asks for the action on the machine of the account that the palette names', async () => {
  const same = (name: string) => machine({ id: 'm-same', name })
  window = await mounted(() => h(MachinesPage), {
    'accounts.select': () => undefined,
    'fleet.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      machines: [same(input.account === account ? 'here' : 'there')],
      status: { asOf: 1, reading: false, total: 1, failure: null },
    }),
  })
  await window.router.push({ name: 'machines', params: { machine: 'm-same' } })
  await showMachine(window.router, sandboxAccount.id, 'm-same', { act: 'delete' })
  await expect
    .poll(() => window.text())
    .toContain(t('machineActions.confirm.delete.title', { machine: 'there' }))
})

it('opens the tab that the palette names', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { tab: 'notes' } })
  await expect.poll(() => window.find('[role=tab][aria-selected=true]').textContent).toContain(t('notes.tab'))
})

it('lands in the section of the settings that the palette names', async () => {
  window = await mounted(() => h(SettingsPage))
  await window.router.push({ name: 'settings', query: { section: 'limits' } })
  await expect.poll(() => document.activeElement?.closest('[data-section]')).not.toBeNull()
  expect(document.activeElement?.closest('[data-section]')?.getAttribute('data-section')).toBe('limits')
})

it('asks for what the palette names of a volume, once', async () => {
  const listed = volumeNamed('loose', { attachment: { kind: 'detached' } })
  window = await mounted(() => h(VolumesPage), {
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes: input.account === account ? [listed] : [],
      status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
    }),
    'volumes.refresh': () => undefined,
  })
  await window.router.push({ name: 'volumes', params: { volume: listed.id }, query: { act: 'delete' } })
  await expect.poll(() => window.text()).toContain(t('volumes.delete.title', { volume: 'loose' }))
  expect(window.router.currentRoute.value.query).toEqual({})
})
