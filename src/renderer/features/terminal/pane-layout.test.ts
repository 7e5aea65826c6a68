import { expect, it } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { tabsOf } from '../../stores/terminal-tabs'
import { clampShare, paneLayout } from './pane-layout'

const session = (id: string, beside: TerminalSession['beside'] = null): TerminalSession => ({
  id,
  account: 'a1b2c3d4e5f6',
  machine: 'm1',
  name: 'train',
  destination: 'ubuntu@10.0.0.5',
  kept: null,
  title: null,
  beside,
  state: { kind: 'running' },
})
const right = (of: string) => ({ session: of, way: 'right' }) as const
const below = (of: string) => ({ session: of, way: 'below' }) as const
const nothingMoved = () => undefined

it('a single terminal fills the area', () => {
  const { places, dividers } = paneLayout([session('a'), session('b')], 'a', nothingMoved)
  expect(Object.fromEntries(places)).toEqual({ a: { left: 0, top: 0, width: 1, height: 1 } })
  expect(dividers).toEqual([])
})

it('each split halves the rest of a pane', () => {
  const all = [session('a'), session('b', right('a')), session('c', below('a')), session('d', below('b'))]
  const { places, dividers } = paneLayout(all, 'a', nothingMoved)
  expect(Object.fromEntries(places)).toEqual({
    a: { left: 0, top: 0, width: 0.5, height: 0.5 },
    b: { left: 0.5, top: 0, width: 0.5, height: 0.5 },
    c: { left: 0, top: 0.5, width: 0.5, height: 0.5 },
    d: { left: 0.5, top: 0.5, width: 0.5, height: 0.5 },
  })
  expect(dividers.map(({ id, way }) => [id, way])).toEqual([
    ['b', 'right'],
    ['d', 'below'],
    ['c', 'below'],
  ])
})

it('a moved divider changes the layout, and both sides stay visible', () => {
  const all = [session('a'), session('b', right('a')), session('c', below('b'))]
  const { places } = paneLayout(all, 'a', (id) => (id === 'b' ? 0.25 : undefined))
  expect(places.get('a')).toMatchObject({ left: 0, width: 0.25, height: 1 })
  expect(places.get('c')).toEqual({ left: 0.25, top: 0.5, width: 0.75, height: 0.5 })
  expect([clampShare(-3), clampShare(0.4), clampShare(2)]).toEqual([0.1, 0.4, 0.9])
})

it('panes are ordered from left to right and top to bottom', () => {
  const all = [
    session('a'),
    session('other'),
    session('b', right('a')),
    session('c', below('a')),
    session('d', below('b')),
  ]
  expect(tabsOf(all).map(({ id, panes }) => [id, panes.map((pane) => pane.id)])).toEqual([
    ['a', ['a', 'c', 'b', 'd']],
    ['other', ['other']],
  ])
})
