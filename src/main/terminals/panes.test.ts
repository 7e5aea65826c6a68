import { expect, it } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { withoutPane } from './panes'

const pane = (id: string, beside: TerminalSession['beside'] = null, title: string | null = null) => ({
  facts: { id, beside, title },
})
const right = (session: string) => ({ session, way: 'right' }) as const
const below = (session: string) => ({ session, way: 'below' }) as const

it('closing a tab with one pane leaves the other tabs unchanged', () => {
  const [first, second, third] = [pane('a'), pane('b'), pane('c')]
  expect(withoutPane([first, second, third], 'b')).toEqual([first, third])
})

it('the last pane split off a closed first pane inherits its position and title', () => {
  const all = [pane('a', null, 'Training'), pane('other'), pane('b', right('a')), pane('c', below('a'))]
  expect(withoutPane(all, 'a')).toEqual([pane('c', null, 'Training'), pane('other'), pane('b', right('c'))])
})

it('panes stay in their corner, whichever pane is closed', () => {
  const all = [pane('a'), pane('b', right('a')), pane('c', below('b')), pane('d', right('b'))]
  const withoutB = withoutPane(all, 'b')
  expect(withoutB).toEqual([pane('a'), pane('d', right('a')), pane('c', below('d'))])
  expect(withoutPane(withoutB, 'd')).toEqual([pane('a'), pane('c', right('a'))])
  expect(withoutPane(withoutPane(withoutB, 'a'), 'c')).toEqual([pane('d')])
})
