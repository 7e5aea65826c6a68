// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import FocusName from './FocusName.vue'
import IconButton from './IconButton.vue'

let window: Mounted
let isFromKeyboard: boolean
beforeEach(async () => {
  isFromKeyboard = true
  // happy-dom does not know how the focus came.
  const { matches } = HTMLElement.prototype
  vi.spyOn(HTMLElement.prototype, 'matches').mockImplementation(function (
    this: HTMLElement,
    selector: string,
  ) {
    return selector === ':focus-visible' ? isFromKeyboard : matches.call(this, selector)
  })
  window = await mounted(() => [
    h(FocusName),
    h(IconButton, { label: 'Export the list' }, () => h('svg')),
    h('button', { title: 'Opens a dialog' }, 'New machine'),
    h('button', { title: 'Alerts', 'aria-label': 'Alerts' }, h('span', { 'aria-hidden': 'true' }, '3')),
  ])
})
afterEach(() => {
  window.unmount()
  vi.restoreAllMocks()
})
const shown = (): string => window.find('[popover].name').textContent
async function focus(name: string): Promise<void> {
  window.named(name).dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  await window.settled()
}

it('an icon button shows its name while it has the focus', async () => {
  await focus('Export the list')
  expect(shown()).toBe('Export the list')
  window.named('Export the list').dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  await window.settled()
  expect(shown()).toBe('')
})

it('a button with text shows nothing, and ends the name of another one', async () => {
  await focus('Export the list')
  expect(shown()).toBe('Export the list')
  await focus('New machine')
  expect(shown()).toBe('')
})

it('a button with only a count that screen readers skip shows its name', async () => {
  await focus('Alerts')
  expect(shown()).toBe('Alerts')
})

it('a click shows no name, and a key ends it', async () => {
  await focus('Export the list')
  expect(shown()).toBe('Export the list')
  await window.press(window.named('Export the list'), 'Escape')
  expect(shown()).toBe('')
  isFromKeyboard = false
  await focus('Export the list')
  expect(shown()).toBe('')
})
