// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { CallInput, Handlers } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import { account, sandboxAccount } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import { useAccounts } from '../../stores/accounts'
import VolumesPage from './VolumesPage.vue'
import './DetachDialog.vue'
import './VolumePanel.vue'

let window: Mounted
afterEach(() => window.unmount())

const mountedWith = async (volume: VolumeView, answers: Partial<Handlers> = {}): Promise<void> => {
  window = await mounted(() => h(VolumesPage), {
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes: input.account === account ? [volume] : [],
      status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
    }),
    'volumes.refresh': () => undefined,
    ...answers,
  })
}

const detachable = volumeNamed('old-data', { attachment: { kind: 'attached', machine: 'm-idle' } })
async function askToDetach(): Promise<void> {
  await mountedWith(detachable, { 'accounts.select': () => undefined })
  await window.click(window.find('[role=row][aria-selected] [role=checkbox]'))
  await window.click(t('volumes.selection.detach'))
  await expect.poll(() => window.text()).toContain(t('volumes.detach.title', { volume: 'old-data' }))
}

it('the question whether to detach stays while the volume leaves the list', async () => {
  await askToDetach()
  window.main.emit('volumes.changed', {
    account,
    revision: 2,
    upserts: [],
    removes: [detachable.id],
    status: { asOf: 2, reading: false, total: 0, failure: null, listed: true },
  })
  await window.settled()
  expect(window.all('[role=row][aria-selected]')).toHaveLength(0)
  expect(window.text()).toContain(t('volumes.detach.title', { volume: 'old-data' }))
})

it('the question whether to detach closes when another account is selected', async () => {
  await askToDetach()
  await useAccounts().select(sandboxAccount.id)
  await window.settled()
  expect(window.text()).not.toContain(t('volumes.detach.title', { volume: 'old-data' }))
  await useAccounts().select(account)
  await window.settled()
  expect(window.all('[role=row][aria-selected=true]')).toHaveLength(1)
  expect(window.text()).not.toContain(t('volumes.detach.title', { volume: 'old-data' }))
})

it('a link with an action opens its dialog once', async () => {
  const listed = volumeNamed('loose', { attachment: { kind: 'detached' } })
  await mountedWith(listed)
  await window.router.push({ name: 'volumes', params: { volume: listed.id }, query: { act: 'delete' } })
  await expect.poll(() => window.text()).toContain(t('volumes.delete.title', { volume: 'loose' }))
  expect(window.router.currentRoute.value.query).toEqual({})
})

it('the detach action of a selected volume asks for its unknown machine, and names the reason', async () => {
  const sent: CallInput<'volumes.detach'>[] = []
  const volume = volumeNamed('old-data', {
    attachment: { kind: 'attached', machine: null },
    status: 'in-use',
    region: { id: 'd', name: 'DALLAS' },
  })
  await mountedWith(volume, {
    'volumes.detach': (input) => {
      sent.push(input)
      return { kind: 'done' }
    },
  })
  await window.click(window.find('[role=row][aria-selected] [role=checkbox]'))
  await window.click(t('volumes.selection.detach'))
  await expect.poll(() => window.text()).toContain(t('volumes.detach.title', { volume: 'old-data' }))
  expect(window.text()).toContain(t('volumes.machineUnknown.before') + '. Choose its machine')
  const choice = window.find('form select')
  if (!(choice instanceof HTMLSelectElement)) throw new Error('no choice of machines')
  expect(choice.value).toBe('')
  choice.value = 'm-idle'
  choice.dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
  expect(window.text()).toContain('Unmount it on notebook-anna first')
  await window.submit()
  expect(sent).toEqual([{ account, machine: 'm-idle', volume: 'old-data' }])
})
