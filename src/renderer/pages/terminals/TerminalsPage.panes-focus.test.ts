// @vitest-environment happy-dom
import { mounted, type Mounted, nameOf } from '../../../../test/gallery/mounted'
import { afterEach, expect, it, vi } from 'vitest'
import { h, ref } from 'vue'
import type { TerminalSession, TerminalState } from '#shared/bridge/terminal'
import { account } from '../../../../test/gallery/world'
import { useTerminals } from '../../stores/terminals'
import TerminalsPage from './TerminalsPage.vue'

vi.mock('../../features/terminal/terminal-screen', async (original) => ({
  ...(await original<object>()),
  createScreen: (await import('../../../../test/gallery/fake-screen')).createFakeScreen,
}))

const session = (id: string, beside: string | null = null, state: TerminalState = { kind: 'running' }) =>
  ({
    id,
    account,
    machine: 'm1',
    name: 'train',
    destination: 'ubuntu@203.0.113.21',
    kept: null,
    title: null,
    state,
    beside: beside === null ? null : { session: beside, way: 'right' },
  }) satisfies TerminalSession
const ended: TerminalState = { kind: 'ended', code: 0 }
const waiting: TerminalState = { kind: 'waiting', until: 4_000_000_000, attempts: 1 }

let window: Mounted
afterEach(() => window.unmount())

async function open(sessions: TerminalSession[], shown: string) {
  window = await mounted(() => h(TerminalsPage), {
    'terminal.sessions': () => sessions,
  })
  useTerminals().show(shown)
  await window.settled()
}
async function change(...sessions: TerminalSession[]) {
  window.main.emit('terminal.changed', sessions)
  await window.settled()
}
const field = (id: string) => window.find(`[data-typed=${id}]`)
function button(id: string, name: string): HTMLElement {
  const found = window.all(`[data-pane=${id}] button`).find((one) => nameOf(one) === name)
  if (!found) throw new Error(`no button ${name}`)
  return found
}

it('a pane keeps the focus while another one ends', async () => {
  await open([session('a'), session('b', 'a')], 'a')
  field('a').focus()
  await change(session('a'), session('b', 'a', ended))
  expect(document.activeElement).toBe(field('a'))
  expect(useTerminals().current?.id).toBe('a')
  await change(session('a', null, ended), session('b', 'a', ended))
  expect(document.activeElement).toBe(button('a', 'Reconnect'))
})

it('the buttons of an inactive pane keep the focus', async () => {
  await open([session('a'), session('b', 'a', ended)], 'a')
  field('a').focus()
  for (const name of ['Close terminal 2', 'Reconnect', 'Close']) {
    button('b', name).focus()
    await window.settled()
    expect(document.activeElement).toBe(button('b', name))
    expect(useTerminals().current?.id).toBe('a')
  }
  field('b').focus()
  expect(useTerminals().current?.id).toBe('b')
})

it('Tab goes to a running shell, and the focus returns to it', async () => {
  await open([session('a'), session('b', 'a')], 'a')
  field('a').focus()
  expect((await window.press(field('a'), 'Tab')).defaultPrevented).toBe(true)
  await change(session('a', null, waiting), session('b', 'a'))
  expect((await window.press(field('a'), 'Tab')).defaultPrevented).toBe(false)
  expect((await window.press(field('a'), 'x')).defaultPrevented).toBe(true)
  await window.press(field('a'), 'Tab', { ctrlKey: true })
  expect(document.activeElement).toBe(field('b'))

  button('a', 'Reconnect now').focus()
  await change(session('a', null, { kind: 'connecting' }), session('b', 'a'))
  expect(document.activeElement).toBe(field('a'))
})

it('a pane keeps the focus when another one reconnects', async () => {
  const sessions = [session('a'), session('b', 'a', ended)]
  let answer: () => void = () => undefined
  window = await mounted(() => h(TerminalsPage), {
    'terminal.sessions': () => sessions,
    'terminal.reconnect': () =>
      new Promise((resolve) => (answer = () => resolve([session('a'), session('b', 'a')]))),
  })
  useTerminals().show('a')
  await window.settled()
  button('b', 'Reconnect').focus()
  button('b', 'Reconnect').click()
  window.main.emit('terminal.changed', [session('a'), session('b', 'a', { kind: 'connecting' })])
  await expect.poll(() => document.activeElement).toBe(field('b'))
  field('a').focus()
  answer()
  await window.settled()
  expect(document.activeElement).toBe(field('a'))
})

it('a divider keeps its position while another page is shown', async () => {
  const isShown = ref(true)
  window = await mounted(() => (isShown.value ? h(TerminalsPage) : null), {
    'terminal.sessions': () => [session('a'), session('b', 'a')],
  })
  await window.press(window.find('[role=separator]'), 'Home')
  isShown.value = false
  await window.settled()
  isShown.value = true
  await window.settled()
  expect(window.find('[role=separator]').getAttribute('aria-valuenow')).toBe('10')
})

it('a divider starts at the position of the last run, and its new position is stored', async () => {
  const beside = { session: 'a', way: 'right', share: 0.25 } as const
  window = await mounted(() => h(TerminalsPage), {
    'terminal.sessions': () => [session('a'), { ...session('b', 'a'), beside }],
  })
  const divider = window.find('[role=separator]')
  expect(divider.getAttribute('aria-valuenow')).toBe('25')
  await window.press(divider, 'End')
  expect(window.main.calls).toContainEqual(['terminal.moveDivider', { session: 'b', share: 0.9 }])
})
