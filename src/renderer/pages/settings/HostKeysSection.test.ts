// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { Settings } from '#shared/bridge/app'
import { mounted } from '../../../../test/gallery/mounted'
import HostKeysSection from './HostKeysSection.vue'

it('new host keys need a confirmation only if the user wants it', async () => {
  const window = await mounted(() => h(HostKeysSection), {
    'settings.change': (changes) => Settings.parse(changes),
  })
  onTestFinished(() => window.unmount())
  const checkbox = window.find('[role=checkbox]')
  expect(checkbox.getAttribute('aria-checked')).toBe('false')
  await window.click(checkbox)
  expect(window.main.calls).toContainEqual(['settings.change', { confirmsHostKeys: true }])
  expect(checkbox.getAttribute('aria-checked')).toBe('true')
})
