// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { lazyComponent } from './lazy-component'

let window: Mounted
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  window.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const Panel = defineComponent(() => () => h('p', 'The panel'))
/** Creates a component whose file fails to load the first `failures` times. */
async function open(failures: number) {
  let asked = 0
  const Late = lazyComponent(async () => {
    asked += 1
    if (asked <= failures) throw new Error('cut off')
    return { default: Panel }
  })
  window = await mounted(() => h(Late))
  return {
    asked: () => asked,
    async pass(ms: number) {
      await vi.advanceTimersByTimeAsync(ms)
      await window.settled()
    },
  }
}

it('a component that fails to load is retried', async () => {
  const { asked, pass } = await open(2)
  expect([window.text(), asked()]).toEqual(['', 1])
  await pass(500)
  await pass(500)
  expect([window.text(), asked()]).toEqual(['The panel', 3])
})

it('a toast reports a component that cannot be loaded', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { asked, pass } = await open(3)
  await pass(500)
  await pass(500)
  expect(asked()).toBe(3)
  expect(window.text()).toContain('cut off')
})
