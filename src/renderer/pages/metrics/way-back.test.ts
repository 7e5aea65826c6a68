// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { useRouter } from 'vue-router'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { useWayBack } from './way-back'

let window: Mounted
afterEach(() => window.unmount())

it('repeated presses of the button or Escape go back one page', async () => {
  const backs = vi.fn()
  const Page = defineComponent(() => {
    const router = useRouter()
    Object.assign(router.options.history.state, { back: '/overview' })
    vi.spyOn(router, 'back').mockImplementation(backs)
    const { back } = useWayBack()
    return () => h('button', { onClick: back }, 'Back')
  })
  window = await mounted(() => h(Page))
  const button = window.named('Back')
  for (let press = 0; press < 3; press += 1) button.click()
  await window.press(document.body, 'Escape')
  expect(backs).toHaveBeenCalledTimes(1)
  await window.router.push('/overview')
  button.click()
  expect(backs).toHaveBeenCalledTimes(2)
})
