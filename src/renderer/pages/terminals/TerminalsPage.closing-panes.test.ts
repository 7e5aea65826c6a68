// @vitest-environment happy-dom
import { mounted, nameOf } from '../../../../test/gallery/mounted'
import { expect, it, onTestFinished, vi } from 'vitest'
import { h } from 'vue'
import type { TerminalSession } from '#shared/bridge/terminal'
import { FailureError } from '#shared/failure'
import { account } from '../../../../test/gallery/world'
import { closingText } from '../../features/terminal/open-beside'
import TerminalsPage from './TerminalsPage.vue'

vi.mock('../../features/terminal/terminal-screen', async (original) => ({
  ...(await original<object>()),
  createScreen: (await import('../../../../test/gallery/fake-screen')).createFakeScreen,
}))

const session = (id: string, more: Partial<TerminalSession> = {}): TerminalSession => ({
  id,
  account,
  machine: 'm1',
  name: 'train',
  destination: 'ubuntu@203.0.113.21',
  kept: null,
  title: null,
  beside: null,
  state: { kind: 'running' },
  ...more,
})
const kept = { kept: 'wheelhouse-1' } as const
const ended = { state: { kind: 'ended', code: 0 } } as const

it('closing terminals counts the sessions that end and the sessions that keep running', () => {
  const [a, b] = [session('a'), session('b')]
  expect(closingText([a, session('c', ended)])).toMatch(/^This ends the SSH session on train [^.]+\.$/)
  expect(closingText([a, b, session('c', { ...kept, ...ended })])).toMatch(
    /^This ends 2 SSH sessions [^.]+\.$/,
  )
  expect(closingText([a, session('c', kept)])).toMatch(
    /^This ends the SSH session .+\. The kept session keeps running /,
  )
  expect(closingText([session('c', kept), session('d', kept)])).toMatch(/^2 kept sessions keep running /)
})

it('one question covers all panes of a tab, and a failure does not stop the rest', async () => {
  const panes = [session('a'), session('b', { beside: { session: 'a', way: 'right' } })]
  const window = await mounted(() => h(TerminalsPage), {
    'terminal.sessions': () => panes,
    'terminal.close': ({ session: id }) => {
      if (id === 'a') throw new FailureError({ kind: 'invalid-input', field: 'session', reason: 'unknown' })
      return panes.filter((one) => one.id !== id)
    },
  })
  onTestFinished(window.unmount)
  await window.press(window.find('[role=tab]'), 'Delete')
  expect(nameOf(window.find('dialog h2'))).toBe('Close 2 terminals?')
  await window.click('Close 2 terminals')
  expect(window.main.calls.filter(([name]) => name === 'terminal.close')).toHaveLength(2)
  expect(window.all('[data-pane]').map(({ dataset }) => dataset.pane)).toEqual(['a'])
})
