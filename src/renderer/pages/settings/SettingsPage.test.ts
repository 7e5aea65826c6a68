// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import SettingsPage from './SettingsPage.vue'

let window: Mounted
afterEach(() => window.unmount())

it('a link with a section focuses that section', async () => {
  window = await mounted(() => h(SettingsPage))
  await window.router.push({ name: 'settings', query: { section: 'limits' } })
  await expect.poll(() => document.activeElement?.closest('[data-section]')).not.toBeNull()
  expect(document.activeElement?.closest('[data-section]')?.getAttribute('data-section')).toBe('limits')
})
