// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { common } from '#shared/messages/en/common'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import PopupMenu from '../../components/PopupMenu.vue'
import { t } from '../../platform/i18n'
import AppFrame from './AppFrame.vue'
import './CommandPalette.vue'
import './ShortcutsDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the palette keeps text that was typed before it was loaded', async () => {
  window = await mounted(() => h(AppFrame))
  const press = (key: string, more: KeyboardEventInit = {}) =>
    window.find('#page').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }))
  press('k', { ctrlKey: true })
  for (const key of 'idle') press(key)
  await window.settled()
  const input = window.find('[role=combobox]')
  expect(input instanceof HTMLInputElement && input.value).toBe('idle')
})

it('the palette opens the list of shortcuts', async () => {
  window = await mounted(() => h(AppFrame))
  await window.press(window.find('#page'), 'k', { ctrlKey: true })
  await window.settled()
  await window.type(window.find('[role=combobox]'), 'shortcuts')
  await window.press(window.find('[role=combobox]'), 'Enter')
  await window.settled()
  expect(window.find('dialog').textContent).toContain(t('common.shortcuts.keys.zoom'))
})

it('the page receives the focus if the focused element is removed', async () => {
  window = await mounted(() => h(AppFrame))
  const before = document.body.appendChild(document.createElement('button'))
  before.focus()
  await window.router.push({ name: 'billing' })
  await window.settled()
  expect(document.activeElement).toBe(before)
  before.remove()
  await window.router.push({ name: 'machines' })
  await window.settled()
  expect(document.activeElement).toBe(window.find('#page'))
})

it('the ? key opens a dialog with every shortcut, which returns the focus', async () => {
  window = await mounted(() => h(AppFrame))
  const page = window.find('#page')
  page.focus()
  await window.press(page, '?')
  await window.settled()
  const dialog = window.find('dialog')
  expect(dialog.textContent).toContain(t('common.shortcuts.title'))
  expect([...dialog.querySelectorAll('dt')].map((one) => one.textContent).sort()).toEqual(
    Object.values(common.shortcuts.keys).sort(),
  )
  await window.press(dialog, 'Escape')
  expect(window.all('dialog')).toEqual([])
  expect(document.activeElement).toBe(page)
})

it('a command of the palette takes the focus from the old page before the new page is loaded', async () => {
  window = await mounted(() => h(AppFrame))
  const before = window.find('#page').appendChild(document.createElement('button'))
  before.focus()
  await window.press(before, 'k', { ctrlKey: true })
  await window.settled()
  let load = (): void => undefined
  const loading = new Promise<void>((resolve) => (load = resolve))
  window.router.beforeResolve(() => loading)
  await window.type(window.find('[role=combobox]'), t('common.navigation.overview'))
  await window.press(window.find('[role=combobox]'), 'Enter')
  expect(window.all('dialog')).toEqual([])
  expect(window.router.currentRoute.value.name).not.toBe('overview')
  expect(document.activeElement).toBe(window.find('#page'))
  load()
  await expect.poll(() => window.router.currentRoute.value.name).toBe('overview')
  expect(document.activeElement).toBe(window.find('#page'))
})

it('a command of the palette that opens no page returns the focus', async () => {
  window = await mounted(() => h(AppFrame), { 'fleet.refresh': () => undefined })
  const before = window.find('#page').appendChild(document.createElement('button'))
  before.focus()
  await window.press(before, 'k', { ctrlKey: true })
  await window.settled()
  await window.type(window.find('[role=combobox]'), t('common.palette.refresh'))
  await window.press(window.find('[role=combobox]'), 'Enter')
  await expect.poll(() => document.activeElement).toBe(before)
})

it('F6 moves between the areas of the window, but not out of an open menu', async () => {
  window = await mounted(() => [
    h(AppFrame),
    h(PopupMenu, { items: [{ id: 'one', label: 'One' }], label: 'Menu' }),
  ])
  const item = window.find('[role=menuitem]')
  item.focus()
  await window.press(item, 'F6')
  expect(document.activeElement).toBe(item)
  window.find('#page').focus()
  await window.press(window.find('#page'), 'F6')
  expect(document.activeElement).not.toBe(window.find('#page'))
})

it('keys of the page scroll it unless another key is held', async () => {
  window = await mounted(() => h(AppFrame))
  const page = window.find('#page')
  const part = page.appendChild(document.createElement('div'))
  part.style.overflowY = 'auto'
  Object.defineProperty(part, 'scrollHeight', { value: 2_000 })
  expect((await window.press(page, 'PageDown')).defaultPrevented).toBe(true)
  const { scrollTop } = part
  expect(scrollTop).toBeGreaterThan(0)
  for (const held of ['ctrlKey', 'altKey', 'metaKey'])
    expect((await window.press(page, 'PageDown', { [held]: true })).defaultPrevented).toBe(false)
  expect((await window.press(page, 'x')).defaultPrevented).toBe(false)
  expect(part.scrollTop).toBe(scrollTop)
})
