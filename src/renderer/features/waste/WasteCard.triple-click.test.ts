// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { account, wasteItem, wasteView } from '../../../../test/gallery/world'
import { callCount, tripleClick, withClickGuard } from '../../../../test/gallery/triple-click'
import EndWasteDialog from './EndWasteDialog.vue'
import WasteCard from './WasteCard.vue'
import { volumeNamed } from '../volumes/volume.fixture'
import { useWaste } from '../../stores/waste'

let window: Mounted
withClickGuard()
afterEach(() => window.unmount())

it('triple clicks open one dialog and delete the volume once', async () => {
  const ask = () => {
    const waste = useWaste()
    const cards = waste.groups.map((group) => h(WasteCard, { group }))
    return [...cards, waste.asked.length > 0 && h(EndWasteDialog, { items: waste.asked, key: 'asked' })]
  }
  window = await mounted(ask, {
    'waste.list': (input) => wasteView(input.account === account ? [wasteItem('backup')] : [], input.account),
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes: [volumeNamed('backup')],
      status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
    }),
    'volumes.delete': () => ({ kind: 'done' }),
  })
  await tripleClick(window, window.named(/^Delete…/))
  expect(window.all('dialog')).toHaveLength(1)
  await window.type(window.find('dialog input'), 'backup')
  await tripleClick(window, window.find('dialog button[type=submit]'))
  expect(callCount(window, 'volumes.delete')).toBe(1)
})
