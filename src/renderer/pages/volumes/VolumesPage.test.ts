// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import VolumesPage from './VolumesPage.vue'
import './VolumePanel.vue'

let window: Mounted
afterEach(() => window.unmount())

it('a link with an action opens its dialog once', async () => {
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
