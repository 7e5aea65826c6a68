// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { h, ref, shallowRef, type VNodeChild } from 'vue'
import FormDialog from '../components/FormDialog.vue'
import PopupMenu from '../components/PopupMenu.vue'
import { keepFocus } from './focus'

let window: Mounted
afterEach(() => window.unmount())
const focused = () => document.activeElement?.id
/** A focusable page that contains a focusable panel. */
const page = (content: () => VNodeChild) =>
  h('main', { id: 'page', tabindex: -1 }, h('div', { id: 'panel', tabindex: 0 }, [content()]))

it('the focus moves to the panel if the button that opened a dialog is removed with the dialog', async () => {
  const isAsked = ref(true)
  const isOpen = ref(false)
  const onSubmit = (): void => void ((isAsked.value = false), (isOpen.value = false))
  window = await mounted(() =>
    page(() => [
      isAsked.value && h('button', { onClick: () => (isOpen.value = true) }, 'Ask'),
      isOpen.value && h(FormDialog, { title: 'Allow?', action: 'Allow', busy: false, onSubmit }),
    ]),
  )
  onTestFinished(keepFocus())
  const opener = window.named('Ask')
  opener.focus()
  // Browsers return the focus when a dialog closes; happy-dom does not.
  const closing = vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(() => opener.focus())
  onTestFinished(() => closing.mockRestore())
  await window.click(opener)
  await window.submit()
  expect([window.all('dialog'), opener.isConnected]).toEqual([[], false])
  expect(focused()).toBe('panel')
})

it('the focus moves back to the panel after a dialog, and stays on an element that took it', async () => {
  const shown = shallowRef<'button' | 'dialog' | 'field' | null>('button')
  const contents = {
    button: () => h('button'),
    dialog: () => h(FormDialog, { title: 'Allow?', action: 'Allow', busy: false }),
    field: () => h('input', { id: 'field', onVnodeMounted: () => window.find('#field').focus() }),
  }
  window = await mounted(() => page(() => shown.value && contents[shown.value]()))
  onTestFinished(keepFocus())
  window.find('button').focus()
  shown.value = 'dialog'
  await window.settled()
  window.find('dialog button').focus()
  shown.value = null
  await window.settled()
  expect(focused()).toBe('panel')
  shown.value = 'button'
  await window.settled()
  window.find('button').focus()
  shown.value = 'field'
  await window.settled()
  expect(focused()).toBe('field')
})

it('the focus moves to the panel if a menu closes after its row was removed', async () => {
  const here = shallowRef(true)
  const menu = ref<{ open(x: number, y: number): Promise<void> } | null>(null)
  window = await mounted(() => [
    page(() => here.value && h('button', { id: 'row' })),
    h(PopupMenu, { ref: menu, label: 'Row', items: [{ id: 'stop', label: 'Stop' }] }),
  ])
  window.find('#row').focus()
  await menu.value?.open(10, 10)
  here.value = false
  await window.settled()
  await window.press(window.find('[role=menu]'), 'Escape')
  expect(focused()).toBe('panel')
})

it('the focus moves to the nearest rest of a notice, and to the page if nothing is left', async () => {
  const shown = ref<'all' | 'row' | 'none'>('all')
  window = await mounted(() =>
    h('main', { id: 'page', tabindex: -1 }, [
      shown.value !== 'none' &&
        h('section', [
          h('div', { id: 'buttons' }, [shown.value === 'all' && h('button', 'Extend')]),
          h('button', 'Delete'),
        ]),
    ]),
  )
  onTestFinished(keepFocus())
  window.named('Extend').focus()
  shown.value = 'row'
  await window.settled()
  expect(focused()).toBe('buttons')
  expect(window.find('#buttons').tabIndex).toBe(-1)
  window.named('Delete').focus()
  expect(window.find('#buttons').hasAttribute('tabindex')).toBe(false)
  shown.value = 'none'
  await window.settled()
  expect(focused()).toBe('page')
})

it('the focus returns to a control that was disabled while its change was saved', async () => {
  const isSaving = ref(false)
  window = await mounted(() => page(() => h('button', { disabled: isSaving.value }, 'Save')))
  onTestFinished(keepFocus())
  const button = window.named('Save')
  button.focus()
  isSaving.value = true
  await window.settled()
  // Browsers take the focus from a disabled button; happy-dom does not.
  button.blur()
  isSaving.value = false
  await window.settled()
  expect(document.activeElement).toBe(button)
})

it('the focus is tried once for each change while a modal dialog blocks the page', async () => {
  const isThere = ref(true)
  window = await mounted(() => page(() => isThere.value && h('button', { id: 'gone' }, 'Keep')))
  onTestFinished(keepFocus())
  window.find('#gone').focus()
  let attempts = 0
  // A modal dialog makes the rest of the page inert, which happy-dom does not.
  const { focus } = HTMLElement.prototype
  onTestFinished(() => void (HTMLElement.prototype.focus = focus))
  HTMLElement.prototype.focus = () => void (attempts += 1)
  isThere.value = false
  await window.settled()
  const first = attempts
  for (let turn = 0; turn < 10; turn += 1) await window.settled()
  expect(first).toBeGreaterThan(0)
  expect(attempts).toBe(first)
})
