// @vitest-environment happy-dom
import { mounted, type Mounted, nameOf } from '../../../../test/gallery/mounted'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import type { TerminalSession } from '#shared/bridge/terminal'
import { FailureError } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { account } from '../../../../test/gallery/world'
import { useTerminalScreens } from '../../features/terminal/terminal-screens'
import { t, tPath } from '../../platform/i18n'
import TerminalsPage from './TerminalsPage.vue'

vi.mock('../../features/terminal/terminal-screen', async (original) => ({
  ...(await original<object>()),
  createScreen: (await import('../../../../test/gallery/fake-screen')).createFakeScreen,
}))

let window: Mounted
afterEach(() => window.unmount())

const session = (id: string, changes: Partial<TerminalSession> = {}): TerminalSession => ({
  id,
  account,
  machine: `m-${id}`,
  name: `train-${id}`,
  destination: 'ubuntu@203.0.113.21',
  kept: null,
  title: null,
  beside: null,
  state: { kind: 'running' },
  ...changes,
})
const ended: TerminalSession['state'] = { kind: 'ended', code: 0 }

async function open(sessions: readonly TerminalSession[], handlers: Partial<Handlers> = {}) {
  let all = [...sessions]
  window = await mounted(() => h(TerminalsPage), {
    'terminal.sessions': () => all,
    'terminal.close': ({ session: id }) => (all = all.filter((one) => one.id !== id)),
    ...handlers,
  })
}
const tabs = () => window.all('[role=tab]')
const tab = (name: string) => {
  const found = tabs().find((one) => one.textContent?.includes(name))
  if (!found) throw new Error(`no tab ${name}`)
  return found
}
const panes = () => window.all('[data-pane]').map(({ dataset }) => dataset.pane)
const closed = () => window.main.calls.flatMap(([name, input]) => (name === 'terminal.close' ? [input] : []))
const field = (id: string) => window.find(`[data-typed="${id}"]`)
const closeTab = (name: string) => window.press(tab(name), 'Delete')

describe('the terminals in the window', () => {
  it('show where to open the first terminal', async () => {
    await open([])
    expect(window.text()).toContain(t('terminal.empty.title'))
    expect(window.named(t('terminal.empty.action')).getAttribute('href')).toContain('/machines')
    expect(tabs()).toEqual([])
  })

  it('show and focus the terminal of the chosen tab', async () => {
    await open([session('1'), session('2')])
    expect(panes()).toEqual(['2'])
    await window.click(tab('train-1'))
    expect(panes()).toEqual(['1'])
    expect(nameOf(window.find('[role=tabpanel]'))).toBe(t('terminal.screen', { machine: 'train-1' }))
    expect(tabs().map((one) => one.getAttribute('aria-selected'))).toEqual(['true', 'false'])
    expect(document.activeElement).toBe(field('1'))
  })

  it('close an ended session at once, and ask before closing a running one', async () => {
    await open([session('1', { state: ended }), session('2')])
    await window.click(tab('train-1'))
    await closeTab('train-1')
    expect(closed()).toEqual([{ session: '1' }])
    expect(panes()).toEqual(['2'])
    await closeTab('train-2')
    expect(window.find('dialog').textContent).toContain(t('terminal.confirm.title', {}, 1))
    await window.click(t('common.actions.cancel'))
    expect(closed()).toHaveLength(1)
    await closeTab('train-2')
    await window.submit()
    expect(closed()).toEqual([{ session: '1' }, { session: '2' }])
    expect(window.text()).toContain(t('terminal.empty.title'))
  })

  it('show no failure if the user rejects the host key for a split', async () => {
    const refused = { kind: 'host-key-refused', host: '203.0.113.21:22' } as const
    await open([session('1')], {
      'ssh.connect': () => {
        throw new FailureError(refused)
      },
    })
    await window.click(t('terminal.split.right'))
    expect(window.main.calls.map(([name]) => name)).toContain('ssh.connect')
    expect(window.text()).not.toContain(failureText(refused, tPath).title)
  })

  it('offer to reconnect a tab of the last run, and close it without a question', async () => {
    const restored = { kind: 'restored' } as const
    await open([session('1', { state: restored, title: 'Training' })], {
      'terminal.reconnect': () => [session('1', { title: 'Training' })],
    })
    expect(window.text()).toContain(t('terminal.state.restored'))
    expect(window.main.calls.map(([name]) => name)).not.toContain('terminal.reconnect')
    await window.click(t('terminal.reconnect'))
    expect(window.main.calls).toContainEqual(['terminal.reconnect', { session: '1' }])
    expect(window.text()).not.toContain(t('terminal.state.restored'))
    window.unmount()
    await open([session('1', { state: restored })])
    await closeTab('train-1')
    expect(closed()).toEqual([{ session: '1' }])
  })

  it('attach a kept session of the last run when its tab is shown and its machine is known', async () => {
    const kept = { kept: 'wheelhouse-0a1b', state: { kind: 'restored' } } as const
    await open(
      [session('1', { ...kept, machine: 'm-train' }), session('2', { ...kept, machine: 'm-unknown' })],
      {
        'terminal.reconnect': () => [],
      },
    )
    const reconnected = () =>
      window.main.calls.flatMap(([name, input]) => (name === 'terminal.reconnect' ? [input] : []))
    expect(reconnected()).toEqual([])
    await window.click(tab('train-1'))
    expect(reconnected()).toEqual([{ session: '1' }])
  })

  it('close all panes of a tab after one question', async () => {
    await open([session('1'), session('2', { beside: { session: '1', way: 'right' } }), session('3')])
    expect(tabs()).toHaveLength(2)
    await window.click(tab('train-1'))
    expect(panes()).toEqual(['1', '2'])
    await closeTab('train-1')
    await window.submit()
    expect(closed()).toEqual([{ session: '1' }, { session: '2' }])
    expect(panes()).toEqual(['3'])
  })

  it('close one pane of a tab after a question', async () => {
    await open([session('1'), session('2', { beside: { session: '1', way: 'right' } })])
    await window.click(t('terminal.split.close', { number: 2 }))
    expect(closed()).toEqual([])
    await window.submit()
    expect(closed()).toEqual([{ session: '2' }])
    expect(panes()).toEqual(['1'])
  })

  it('report why a session could not be closed, and keep it', async () => {
    await open([session('1', { state: ended })], {
      'terminal.close': () => {
        throw new FailureError({ kind: 'offline' })
      },
    })
    expect(window.text()).not.toContain(t('failures.offline.title'))
    await closeTab('train-1')
    expect(window.text()).toContain(t('failures.offline.title'))
    expect(panes()).toEqual(['1'])
  })

  it('paste several lines only after a preview', async () => {
    await open([session('1')])
    const ask = async () => {
      useTerminalScreens().question = { kind: 'paste', session: '1', text: 'rm -r a\nrm -r b\n' }
      await window.settled()
    }
    await ask()
    expect(window.find('dialog pre').textContent).toBe('rm -r a\nrm -r b\n')
    await window.click(t('common.actions.cancel'))
    expect(window.all('dialog')).toEqual([])
    expect(field('1')).toHaveProperty('value', '')
    await ask()
    await window.submit()
    expect(field('1')).toHaveProperty('value', 'rm -r a\nrm -r b\n')
    expect(window.all('dialog')).toEqual([])
  })
})
