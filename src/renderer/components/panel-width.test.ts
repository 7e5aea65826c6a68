// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { Settings } from '#shared/bridge/app'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { draw } from '../../../test/gallery/state'
import { maxPanelWidth } from './panel-width'
import SidePanel from './SidePanel.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the divider moves by keys, is stored, and stops at its limits', async () => {
  const properties = { label: 'Machine a', title: 'a', summary: 'DALLAS', closeLabel: 'Close' }
  let settings = Settings.parse({ panelWidth: 500 })
  window = await mounted(() => draw(SidePanel, properties, { default: () => 'Text' }), {
    'settings.read': () => settings,
    'settings.change': (changed) => (settings = Settings.parse({ ...settings, ...changed })),
  })
  const divider = window.find('[role=separator]')
  const now = () => divider.getAttribute('aria-valuenow')
  expect(now()).toBe('500')
  await window.press(divider, 'ArrowLeft')
  expect([now(), settings.panelWidth]).toEqual(['520', 520])
  await window.press(divider, 'ArrowRight')
  expect([now(), settings.panelWidth]).toEqual(['500', 500])
  await window.press(divider, 'End')
  expect([now(), settings.panelWidth]).toEqual(['360', 360])
  divider.dispatchEvent(new MouseEvent('dblclick'))
  await window.settled()
  expect([now(), settings.panelWidth]).toEqual(['420', 420])
})

it('a panel leaves 360 pixels to its list, and has at least 360 itself', () => {
  expect([maxPanelWidth(1_152), maxPanelWidth(844), maxPanelWidth(664)]).toEqual([792, 484, 360])
})
