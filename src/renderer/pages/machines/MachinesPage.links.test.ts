// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { account, machine, sandboxAccount } from '../../../../test/gallery/world'
import { showMachine } from '../../features/navigation/navigate'
import { t } from '../../platform/i18n'
import MachinesPage from './MachinesPage.vue'
import './panel/MachinePanel.vue'
import '../../features/machine-actions/ActionDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('a link with an action opens its dialog once', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { act: 'delete' } })
  await expect
    .poll(() => window.text())
    .toContain(t('machineActions.confirm.delete.title', { machine: 'notebook-anna' }))
  expect(window.router.currentRoute.value.query).toEqual({})
})

it('a link to a machine of another account opens the dialog for that account', async () => {
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

it('a link with a tab opens the tab', async () => {
  window = await mounted(() => h(MachinesPage))
  await window.router.push({ name: 'machines', params: { machine: 'm-idle' }, query: { tab: 'notes' } })
  await expect.poll(() => window.find('[role=tab][aria-selected=true]').textContent).toContain(t('notes.tab'))
})
