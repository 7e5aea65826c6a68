// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { h } from 'vue'
import type { TerminalSession } from '#shared/bridge/terminal'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useTerminalScreens } from './terminal-screens'
import TerminalMenu from './TerminalMenu.vue'

vi.mock('./terminal-screen', async (original) => ({
  ...(await original<object>()),
  createScreen: (await import('../../../../test/gallery/fake-screen')).createFakeScreen,
}))

let window: Mounted
let state: TerminalSession['state']
beforeEach(() => {
  state = { kind: 'running' }
})
afterEach(() => window.unmount())

async function open(): Promise<HTMLTextAreaElement> {
  window = await mounted(() => h(TerminalMenu), {
    'terminal.sessions': () => [
      {
        id: 's',
        account,
        machine: 'm',
        name: 'train',
        destination: 'ubuntu@203.0.113.21',
        kept: null,
        title: null,
        beside: null,
        state,
      },
    ],
  })
  const place = document.body.appendChild(document.createElement('div'))
  useTerminalScreens().screenOf('s').show(place, true)
  const field = place.querySelector('textarea')
  if (!field) throw new Error('no terminal')
  return field
}
const showMenu = async (): Promise<void> => {
  useTerminalScreens().menu = { session: 's', x: 10, y: 10 }
  await window.settled()
}
const disabled = () =>
  window.all('[role=menuitem]').filter((item) => item.getAttribute('aria-disabled') === 'true').length

it('Copy needs a selection, and the other actions work at once', async () => {
  const field = await open()
  await showMenu()
  expect(disabled()).toBe(1)
  expect(window.text()).toContain(t('terminal.menu.nothing'))
  field.value = 'text'
  await showMenu()
  expect(disabled()).toBe(0)
  await window.click(t('terminal.menu.copy'))
  expect(useTerminalScreens().copied).toEqual({ text: 'selected' })
  await showMenu()
  await window.click(t('terminal.menu.search'))
  expect(useTerminalScreens().isSearching).toBe(true)
  await showMenu()
  await window.click(t('terminal.menu.clear'))
  expect(field.value).toBe('')
})

it('Paste is the system’s own command, with the focus in the terminal', async () => {
  const field = await open()
  await showMenu()
  await window.click(t('terminal.menu.paste'))
  expect(document.activeElement).toBe(field)
  expect(window.main.calls).toContainEqual(['clipboard.paste', {}])
})

it('Paste explains that a session is over', async () => {
  state = { kind: 'ended', code: 0 }
  await open()
  await showMenu()
  expect(window.text()).toContain(t('terminal.menu.over'))
})
