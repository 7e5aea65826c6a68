import { defineComponent, h, onMounted, type VNode } from 'vue'
import type { SplitWay, TerminalSession, TerminalState } from '#shared/bridge/terminal'
import type { Handlers } from '#shared/bridge/index'
import ConnectMenu from '../../../src/renderer/features/connection/ConnectMenu.vue'
import KeptDialog from '../../../src/renderer/features/terminal/KeptDialog.vue'
import LinkDialog from '../../../src/renderer/features/terminal/LinkDialog.vue'
import NewTerminal from '../../../src/renderer/features/terminal/NewTerminal.vue'
import PaneDivider from '../../../src/renderer/features/terminal/PaneDivider.vue'
import RenameTabDialog from '../../../src/renderer/features/terminal/RenameTabDialog.vue'
import TerminalMenu from '../../../src/renderer/features/terminal/TerminalMenu.vue'
import TerminalPane from '../../../src/renderer/features/terminal/TerminalPane.vue'
import TerminalPanes from '../../../src/renderer/features/terminal/TerminalPanes.vue'
import TerminalSearch from '../../../src/renderer/features/terminal/TerminalSearch.vue'
import TerminalStateBar from '../../../src/renderer/features/terminal/TerminalStateBar.vue'
import TerminalTabs from '../../../src/renderer/features/terminal/TerminalTabs.vue'
import TerminalTools from '../../../src/renderer/features/terminal/TerminalTools.vue'
import { useTerminalScreens } from '../../../src/renderer/features/terminal/terminal-screens'
import { tabsOf } from '../../../src/renderer/stores/terminal-tabs'
import { entry, fill, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { never } from '../fake-main'
import { account, machine, now } from '../world'

const session = (id: string, name: string, state: TerminalState = { kind: 'running' }): TerminalSession => ({
  id,
  account,
  machine: id,
  name,
  destination: 'ubuntu@203.0.113.21',
  kept: null,
  title: null,
  beside: null,
  state,
})
const tabs = (...sessions: readonly TerminalSession[]): GalleryState => ({
  render: () =>
    h(TerminalTabs, {
      tabs: tabsOf(sessions),
      current: sessions[0]?.id ?? '',
      ringing: new Set(sessions[1] ? [sessions[1].id] : []),
      controls: 'gallery',
    }),
  width: 720,
})
const inRoom = (content: () => VNode): GalleryState => ({
  render: () => h('div', { style: { position: 'relative', height: '240px' } }, [content()]),
  width: 720,
})
interface PaneChoices extends Partial<Pick<TerminalSession, 'state' | 'destination'>> {
  readonly count?: number
  readonly current?: boolean
}
const pane = ({ count = 1, current = false, ...facts }: PaneChoices): GalleryState =>
  inRoom(() =>
    h(TerminalPane, {
      session: { ...session('a', 'train-llama-01'), ...facts },
      current,
      busy: false,
      number: 1,
      count,
      style: { inset: '0' },
    }),
  )
const panes = (...all: readonly (readonly [string, TerminalSession['beside']])[]): GalleryState =>
  inRoom(() => {
    const sessions = all.map(([id, beside]) => ({ ...session(id, 'train-llama-01'), beside }))
    const [tab] = tabsOf(sessions)
    return tab ? h(TerminalPanes, { tab, sessions, current: 'a', busy: false }) : h('p')
  })
const divider = (way: SplitWay): GalleryState =>
  inRoom(() =>
    h(PaneDivider, {
      divider: { id: 'b', way, area: { left: 0, top: 0, width: 1, height: 1 }, share: 0.4 },
      number: 2,
    }),
  )
const bar = (state: TerminalState, busy = false): GalleryState => ({
  render: () => h(TerminalStateBar, { session: session('a', 'train-llama-01', state), broken: null, busy }),
  width: 720,
})
const search = (index: number, count: number, text: string): GalleryState => ({
  render: () =>
    h('div', { style: { position: 'relative', height: '60px' } }, [
      h(TerminalSearch, { found: { index, count } }),
    ]),
  act: (stage) => fill(stage, text),
  width: 520,
})

const keptOf = (answer: Handlers['terminal.kept'], name = 'train-llama-01'): GalleryState => ({
  render: () => h(KeptDialog, { account, machine: machine({ name }) }),
  handlers: { 'terminal.kept': answer },
})

/** The menu of a terminal, opened as by a right click. */
const OpenedMenu = defineComponent(() => {
  const screens = useTerminalScreens()
  onMounted(() => (screens.menu = { session: 'a', x: 20, y: 20 }))
  return () => h(TerminalMenu)
})

export default [
  entry(NewTerminal, {
    closed: () => h(NewTerminal, { current: session('a', 'train-llama-01') }),
    open: {
      render: () => h(NewTerminal, { current: session('a', texts.long) }),
      act: (stage) => part(stage, 'button').click(),
    },
  }),
  entry(TerminalMenu, { open: () => h(OpenedMenu) }),
  entry(ConnectMenu, {
    closed: () => h(ConnectMenu, { account, machine: machine(), disabled: false }),
    disabled: () => h(ConnectMenu, { account, machine: machine(), disabled: true }),
  }),
  entry(TerminalTools, {
    usual: () => h(TerminalTools, { kept: false }),
    kept: () => h(TerminalTools, { kept: true }),
  }),
  entry(KeptDialog, {
    usual: keptOf(() => ({
      kind: 'sessions',
      sessions: [
        {
          name: 'wheelhouse-0a1b2c3d',
          title: 'Training',
          beganAt: now - 90_000,
          attached: false,
          state: null,
        },
        { name: 'wheelhouse-4e5f6071', title: null, beganAt: now - 600, attached: true, state: null },
        { name: 'wheelhouse-8293a4b5', title: null, beganAt: null, attached: true, state: null },
      ],
    })),
    none: keptOf(() => ({ kind: 'sessions', sessions: [] }), texts.html),
    looking: keptOf(() => never),
    'no tool': keptOf(() => ({ kind: 'no-tool', path: '/usr/local/bin:/usr/bin:/bin' })),
    'not understood': keptOf(() => ({
      kind: 'not-understood',
      said: texts.html,
      loginOutput: `setlocale: cannot change locale\n${texts.html}`,
    })),
    'slow login': keptOf(() => ({ kind: 'slow-login', seconds: 20, loginOutput: 'Loading modules…' })),
    'not reached': keptOf(() => ({ kind: 'failed', state: { kind: 'not-reached', reason: 'ECONNREFUSED' } })),
  }),
  entry(TerminalTabs, {
    one: tabs(session('a', 'train-llama-01')),
    many: tabs(
      session('a', 'train-llama-01'),
      { ...session('b', 'train-llama-01'), kept: 'wheelhouse-0a1b' },
      session('c', 'eval-01', { kind: 'waiting', until: now + 5, attempts: 2 }),
      session('d', 'notebook', { kind: 'ended', code: 0 }),
      session('r', 'earlier', { kind: 'restored' }),
      session('e', 'gone', { kind: 'failed', failure: { kind: 'offline' } }),
    ),
    named: tabs(
      { ...session('a', 'train-llama-01'), title: 'Training' },
      { ...session('b', 'train-llama-01'), beside: { session: 'a', way: 'right' } },
      { ...session('c', 'eval-01'), title: texts.long },
    ),
    long: tabs(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => session(id, texts.long))),
    hostile: tabs(session('a', texts.html), session('b', texts.control), session('c', texts.huge)),
    'right to left': { ...tabs(session('a', texts.rtl), session('b', texts.rtl)), rtl: true },
  }),
  entry(TerminalPane, {
    alone: pane({ state: { kind: 'connecting' } }),
    'of several': pane({ count: 2, current: true, state: { kind: 'waiting', until: now + 9, attempts: 3 } }),
    'not typed into': pane({ count: 2, state: { kind: 'ended', code: 0 } }),
    hostile: pane({ count: 2, destination: texts.control, state: { kind: 'ended', code: 1 } }),
  }),
  entry(TerminalPanes, {
    'side by side': panes(['a', null], ['b', { session: 'a', way: 'right' }]),
    tree: panes(
      ['a', null],
      ['b', { session: 'a', way: 'right' }],
      ['c', { session: 'b', way: 'below' }],
      ['d', { session: 'a', way: 'below' }],
    ),
  }),
  entry(PaneDivider, {
    upright: divider('right'),
    level: divider('below'),
    focused: { ...divider('right'), act: (stage) => part(stage, '[role=separator]').focus() },
  }),
  entry(RenameTabDialog, {
    unnamed: () => h(RenameTabDialog, { first: session('a', 'train-llama-01') }),
    named: () => h(RenameTabDialog, { first: { ...session('a', texts.control), title: 'Training' } }),
    'too long': {
      render: () => h(RenameTabDialog, { first: session('a', 'train-llama-01') }),
      act: (stage) => fill(stage, texts.long.repeat(2)),
    },
  }),
  entry(TerminalStateBar, {
    connecting: bar({ kind: 'connecting' }),
    waiting: bar({ kind: 'waiting', until: now + 9, attempts: 3 }),
    ended: bar({ kind: 'ended', code: 255 }),
    restored: bar({ kind: 'restored' }),
    'ended by a signal': bar({ kind: 'ended', code: null }),
    'too many keys': bar({ kind: 'ended', code: 255, hasTooManyKeys: true }),
    'ended with its connection': bar({ kind: 'ended', code: null, isLost: true }),
    busy: bar({ kind: 'ended', code: 1 }, true),
    'nothing to keep it with': {
      render: () =>
        h(TerminalStateBar, {
          session: {
            ...session('a', 'train-llama-01', { kind: 'ended', code: 69 }),
            kept: 'wheelhouse-0a1b',
          },
          broken: null,
          busy: false,
        }),
      width: 720,
    },
    broken: {
      render: () =>
        h(TerminalStateBar, {
          session: session('a', 'train-llama-01'),
          broken: { kind: 'unexpected-answer', expected: 'terminal.screen', received: 'something else' },
          busy: false,
        }),
      width: 720,
    },
    'host key refused': bar({
      kind: 'failed',
      failure: { kind: 'host-key-refused', host: '203.0.113.21:22' },
    }),
    failed: bar({ kind: 'failed', failure: { kind: 'timed-out', host: '203.0.113.21:22', seconds: 8 } }),
  }),
  entry(TerminalSearch, {
    found: search(1, 12, 'loss'),
    none: search(-1, 0, texts.words),
  }),
  entry(LinkDialog, {
    usual: () => h(LinkDialog, { url: 'http://localhost:8888/lab?token=3f2a' }),
    hostile: () => h(LinkDialog, { url: `https://example.org/${texts.control}${texts.huge}` }),
  }),
]
