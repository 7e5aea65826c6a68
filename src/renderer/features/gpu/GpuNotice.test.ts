// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import GpuNotice from './GpuNotice.vue'

it('a machine’s reason is cut, and its hidden characters are shown', async () => {
  const words = { title: 'Waiting', text: `${texts.control}${texts.huge}`, next: null }
  const window = await mounted(() => h(GpuNotice, { words }))
  onTestFinished(() => window.unmount())
  expect(window.text()).toContain('node')
  expect(window.text()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
  expect(window.text().length).toBeLessThan(1_100)
})
