// @vitest-environment happy-dom
import { createFakeMain, useFakeMain } from '../../../test/gallery/fake-main'
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { useTerminals } from './terminals'

const session = (id: string, beside: TerminalSession['beside'] = null): TerminalSession => ({
  id,
  account: 'a1b2c3d4e5f6',
  machine: 'm1',
  name: 'train',
  destination: 'ubuntu@203.0.113.21',
  kept: null,
  title: null,
  beside,
  state: { kind: 'running' },
})
const right = (of: string) => ({ session: of, way: 'right' }) as const
const below = (of: string) => ({ session: of, way: 'below' }) as const

async function started(...first: TerminalSession[]) {
  let sessions = first
  const main = createFakeMain({ 'terminal.sessions': () => sessions })
  useFakeMain(main)
  setActivePinia(createPinia())
  const terminals = useTerminals()
  terminals.start()
  await main.settled()
  const change = (...next: TerminalSession[]) => {
    sessions = next
    main.emit('terminal.changed', next)
  }
  return { terminals, main, change }
}

it('the pane that replaces a closed pane inherits its share', async () => {
  const { terminals, change } = await started(
    session('a'),
    session('b', right('a')),
    session('c', below('b')),
    session('d', below('a')),
  )
  terminals.shares.set('b', 0.2).set('c', 0.9).set('d', 0.7)
  // The sessions as main's withoutPane returns them.
  change(session('a'), session('c', right('a')), session('d', below('a')))
  expect(Object.fromEntries(terminals.shares)).toEqual({ c: 0.2, d: 0.7 })
  change(session('d'), session('c', right('d')))
  expect(Object.fromEntries(terminals.shares)).toEqual({ c: 0.2 })
  change(session('d'))
  expect(terminals.shares.size).toBe(0)
})

it('a tab remembers its last focused pane after its first pane is closed', async () => {
  const { terminals, change } = await started(
    session('a'),
    session('b', right('a')),
    session('c', below('a')),
    session('d'),
  )
  terminals.show('b')
  terminals.showTab('d')
  change(session('c'), session('b', right('c')), session('d'))
  terminals.showTab('c')
  expect(terminals.current?.id).toBe('b')
})

it('the terminal on screen stays if a requested session never appears', async () => {
  const { terminals, main, change } = await started(session('a'), session('b'))
  terminals.show('a')
  terminals.show('closed before')
  await main.settled()
  expect(terminals.current?.id).toBe('a')
  terminals.use('b')
  expect(terminals.current?.id).toBe('b')

  // An open session is awaited, even if this window's list lacks it.
  terminals.show('c')
  terminals.use('b')
  change(session('a'), session('b'), session('c'))
  await main.settled()
  expect(terminals.current?.id).toBe('c')
})
