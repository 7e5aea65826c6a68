import { CircleAlert, Cpu, Pencil, Power, Server, Settings, Trash2 } from '@lucide/vue'
import { NButton } from 'naive-ui'
import { h } from 'vue'
import type { Failure } from '#shared/failure'
import AppDialog from '../../../src/renderer/components/AppDialog.vue'
import CopyButton from '../../../src/renderer/components/CopyButton.vue'
import EmptyPage from '../../../src/renderer/components/EmptyPage.vue'
import FailureNotice from '../../../src/renderer/components/FailureNotice.vue'
import FocusName from '../../../src/renderer/components/FocusName.vue'
import FilterBox from '../../../src/renderer/components/FilterBox.vue'
import IconButton from '../../../src/renderer/components/IconButton.vue'
import LostAnswer from '../../../src/renderer/components/LostAnswer.vue'
import MoneyText from '../../../src/renderer/components/MoneyText.vue'
import NoticeBox from '../../../src/renderer/components/NoticeBox.vue'
import PopupMenu from '../../../src/renderer/components/PopupMenu.vue'
import RowsLoading from '../../../src/renderer/components/RowsLoading.vue'
import SegmentedControl from '../../../src/renderer/components/SegmentedControl.vue'
import SelectField from '../../../src/renderer/components/SelectField.vue'
import SelectRow from '../../../src/renderer/components/SelectRow.vue'
import DividerLine from '../../../src/renderer/components/DividerLine.vue'
import PanelTabs from '../../../src/renderer/components/PanelTabs.vue'
import SidePanel from '../../../src/renderer/components/SidePanel.vue'
import StateDot from '../../../src/renderer/components/StateDot.vue'
import FieldFrame from '../../../src/renderer/components/FieldFrame.vue'
import MomentField from '../../../src/renderer/components/MomentField.vue'
import TitledRow from '../../../src/renderer/components/TitledRow.vue'
import TextField from '../../../src/renderer/components/TextField.vue'
import UnreadableNotice from '../../../src/renderer/components/list/UnreadableNotice.vue'
import ToastArea from '../../../src/renderer/components/ToastArea.vue'
import WheelLogo from '../../../src/renderer/components/WheelLogo.vue'
import { draw, entry, part } from '../state'
import { useToasts } from '../../../src/renderer/stores/toasts'
import { texts } from '../texts'
import { usd } from '../world'

const done = () => Promise.resolve(true)
const text = (words: string) => () => h('p', words)

const failures: readonly Failure[] = [
  { kind: 'offline' },
  { kind: 'cannot-connect', host: 'api.example.com:443', reason: 'ECONNREFUSED' },
  { kind: 'timed-out', host: 'api.example.com', seconds: 30 },
  { kind: 'untrusted-certificate', host: 'api.example.com', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  { kind: 'not-signed-in', reason: 'expired' },
  { kind: 'refused-by-service', message: texts.words, status: 409 },
  { kind: 'unexpected-answer', expected: 'machines', received: 'data.0.id: expected string' },
  { kind: 'rate-limited', retryAfter: 40, until: 1_790_000_040 },
  { kind: 'forbidden', message: texts.words },
  { kind: 'invalid-input', field: 'name', reason: 'already-there' },
  { kind: 'keychain-unavailable', reason: 'No such interface “org.freedesktop.Secret.Service”' },
  { kind: 'not-offered-by-service', what: 'power' },
  { kind: 'disk-full' },
  { kind: 'no-space', machine: texts.long, free: 12_000_000, needed: 4_000_000_000 },
  { kind: 'local-fault', action: 'Export', reason: 'EACCES: permission denied' },
  { kind: 'host-key-changed', host: '203.0.113.21', known: 'SHA256:AbC', offered: 'SHA256:XyZ' },
  { kind: 'host-key-refused', host: '203.0.113.21:22' },
]
const refused = (message: string) => () =>
  h(FailureNotice, { failure: { kind: 'refused-by-service', message, status: 500 }, dismissible: true })

const notice =
  (properties: object, text = 'The list is from 12 minutes ago') =>
  () =>
    draw(
      NoticeBox,
      { icon: CircleAlert, role: 'status', ...properties },
      {
        default: () => [h('p', { class: 'title' }, text), h('p', { class: 'muted' }, 'Its cause.')],
        steps: () => h(NButton, { size: 'small' }, () => 'Try again'),
      },
    )

const options = (names: readonly string[]) => () => names.map((name) => h('option', { value: name }, name))
const select = (value: string, others: object = {}) =>
  h(SelectField, { label: 'Region', value, ...others }, options([value, 'OSLO']))
const tabs = [
  'Connection',
  'Services',
  'Files',
  'Metrics',
  'GPU',
  'Firewall',
  'Volumes',
  'Cost',
  'Notes',
].map((label) => ({ id: label, label }))
const panel = (title: string, summary: string, shownTabs?: typeof tabs) =>
  draw(
    SidePanel,
    {
      label: `Machine ${title}`,
      title,
      summary,
      closeLabel: 'Close',
      ...(shownTabs && { tabs: shownTabs, tabsLabel: 'Machine details', tab: 'GPU' }),
    },
    {
      default: text('What the tab shows.'),
      state: () => [h(StateDot, { state: 'running' }), 'Running'],
      buttons: () => h(IconButton, { label: 'More' }, () => h(Settings, { size: 16 })),
    },
  )
const divider = (way: 'right' | 'below') => () =>
  h('div', { style: { position: 'relative', height: '80px' } }, [
    draw(DividerLine, {
      way,
      label: 'Panel width',
      value: 420,
      min: 360,
      max: 700,
      style: way === 'right' ? { left: '50%', height: '100%' } : { top: '50%', width: '100%' },
    }),
  ])
const tabRow = (selected: string, width: number, id = `${selected}-${String(width)}`) => ({
  width,
  render: () => [
    draw(PanelTabs, {
      modelValue: selected,
      tabs,
      label: 'Machine details',
      prefix: `tab-${id}`,
      controls: `content-${id}`,
    }),
    h('div', { role: 'tabpanel', id: `content-${id}`, 'aria-label': selected }),
  ],
})
const items = [
  { id: 'connect', label: 'Connect', icon: Server },
  { id: 'rename', label: 'Rename', icon: Pencil },
  { id: 'stop', label: 'Stop', icon: Power, disabledReason: 'Not available while creating.' },
  { id: 'delete', label: 'Delete…', icon: Trash2, danger: true },
]
const open = (stage: HTMLElement) => part(stage, '[popover]').showPopover()
const frame = (others: { readonly label: string; readonly hint?: string; readonly error?: string }) => () =>
  h(FieldFrame, others, {
    default: ({ attributes }: { readonly attributes: object }) => h('input', attributes),
  })
const titled =
  (others: { readonly title?: string; readonly tone?: 'urgent' | 'attention' | 'snoozed' }) => () =>
    h('ul', [
      h(
        TitledRow,
        { icon: Cpu, title: 'A job ended', ...others, label: `Show ${others.title ?? 'A job ended'}` },
        { default: () => h('p', { class: 'fine-print' }, '5 minutes ago') },
      ),
    ])
const field = (others: object) => () => h(TextField, { label: 'Name', modelValue: '', ...others })
const kinds = (...labels: readonly string[]) =>
  labels.map((label, at) => ({ value: label, label, count: at * 7 }))

export default [
  entry(AppDialog, {
    usual: () =>
      h(AppDialog, { title: 'Rename account' }, () => [
        h('p', 'What it is called in this window.'),
        h('footer', [h(IconButton, { label: 'Save' }, () => h(Pencil, { size: 16 }))]),
      ]),
    'long title': () => h(AppDialog, { title: texts.long.repeat(2) }, text(texts.words)),
    html: () => h(AppDialog, { title: texts.html }, text(texts.html)),
    'right to left': {
      rtl: true,
      render: () => h(AppDialog, { title: texts.rtl }, text(texts.rtl)),
    },
  }),
  entry(CopyButton, {
    usual: () => h(CopyButton, { what: 'Address', copy: done }),
    copied: {
      render: () => h(CopyButton, { what: 'Address', copy: done }),
      act: (stage) => part(stage, 'button').click(),
    },
  }),
  entry(EmptyPage, {
    usual: () => h(EmptyPage, { icon: Server, title: 'No machines', text: 'Create the first one.' }),
    long: () => h(EmptyPage, { icon: Server, title: texts.long, text: texts.words }),
    'a megabyte': () => h(EmptyPage, { icon: Server, title: 'Nothing found', text: texts.huge }),
    'right to left': {
      rtl: true,
      render: () => h(EmptyPage, { icon: Server, title: texts.rtl, text: texts.rtl }),
    },
  }),
  entry(FailureNotice, {
    ...Object.fromEntries(
      failures.map((failure) => [
        failure.kind,
        () => h(FailureNotice, { failure, retryable: true, signInable: true }),
      ]),
    ),
    retrying: () => h(FailureNotice, { failure: { kind: 'offline' }, retryable: true, busy: true }),
    html: refused(texts.html),
    'control characters': refused(texts.control),
    'a megabyte': refused(texts.huge),
    'one long word': refused('x'.repeat(400)),
    'right to left': { rtl: true, render: refused(texts.rtl) },
  }),
  entry(NoticeBox, {
    attention: notice({ dismiss: 'Hide' }),
    'attention, one line': notice({ line: true, dismiss: 'Hide' }),
    danger: notice({ tone: 'danger' }),
    calm: notice({ tone: 'calm' }),
    'one line, narrow': { width: 320, render: notice({ line: true, dismiss: 'Hide' }, texts.words) },
    'one long word': notice({ line: true }, 'x'.repeat(400)),
    html: notice({}, texts.html),
    'right to left': { rtl: true, render: notice({ dismiss: 'Hide' }, texts.rtl) },
  }),
  entry(FilterBox, {
    empty: () => h(FilterBox, { label: 'Filter', placeholder: 'Filter machines', modelValue: '' }),
    filled: () => h(FilterBox, { label: 'Filter', placeholder: '', modelValue: 'llama' }),
    asking: () => h(FilterBox, { label: 'Filter', placeholder: '', modelValue: 'llama', asking: true }),
    long: () => h(FilterBox, { label: 'Filter', placeholder: '', modelValue: texts.long }),
    'right to left': {
      rtl: true,
      render: () => h(FilterBox, { label: 'Filter', placeholder: '', modelValue: texts.rtl }),
    },
  }),
  entry(IconButton, {
    usual: () => h(IconButton, { label: 'Settings' }, () => h(Settings, { size: 16 })),
    disabled: () => h(IconButton, { label: 'Settings', disabled: true }, () => h(Settings, { size: 16 })),
  }),
  entry(LostAnswer, {
    checking: () => h(LostAnswer, { lost: 'checking' }),
    'not done': () => h(LostAnswer, { lost: 'not-done' }),
    unknown: () => h(LostAnswer, { lost: 'unknown' }),
    answered: () => h(LostAnswer, { lost: null }),
  }),
  entry(UnreadableNotice, {
    one: () => h(UnreadableNotice, { records: { count: 1, text: texts.html } }),
    many: () => h(UnreadableNotice, { records: { count: 12_345, text: texts.huge } }),
    none: () => h(UnreadableNotice, { records: null }),
  }),
  entry(MoneyText, {
    usual: () => h(MoneyText, { money: usd(1_434.24) }),
    'per hour': () => h(MoneyText, { money: usd(19.92), perHour: true }),
    small: () => h(MoneyText, { money: usd(0.000_123), perHour: true }),
    large: () => h(MoneyText, { money: usd(987_654_321.01) }),
    negative: () => h(MoneyText, { money: usd(-12.5) }),
    'an unknown currency': () => h(MoneyText, { money: { currency: 'CREDITS', millionths: 2_500_000 } }),
    'right to left': { rtl: true, render: () => h(MoneyText, { money: usd(19.92), perHour: true }) },
  }),
  entry(FocusName, {
    // One state: the focus of another one would end its name.
    usual: {
      render: () => [h(FocusName), h(IconButton, { label: texts.long }, () => h(Settings, { size: 16 }))],
      act: (stage) => part(stage, '.icon-button').focus(),
    },
  }),
  entry(PopupMenu, {
    usual: { render: () => h(PopupMenu, { label: 'Machine', items }), act: open },
    hostile: {
      render: () =>
        h(PopupMenu, {
          label: 'Machine',
          items: [texts.long, texts.html, texts.control, texts.rtl].map((label) => ({ id: label, label })),
        }),
      act: open,
    },
    'right to left': { rtl: true, render: () => h(PopupMenu, { label: 'Machine', items }), act: open },
  }),
  entry(RowsLoading, { usual: () => h(RowsLoading, { label: 'Loading machines' }) }),
  entry(SegmentedControl, {
    usual: () =>
      h(SegmentedControl, {
        label: 'State',
        options: kinds('All', 'Running', 'Stopped'),
        modelValue: 'Running',
      }),
    'none chosen': () =>
      h(SegmentedControl, { label: 'State', options: kinds('All', 'Running'), modelValue: '' }),
    'more than fit': () =>
      h(SegmentedControl, {
        label: 'State',
        options: kinds('All', 'Running', 'Stopped', texts.long),
        modelValue: 'All',
      }),
    'right to left': {
      rtl: true,
      render: () =>
        h(SegmentedControl, { label: 'State', options: kinds('All', texts.rtl), modelValue: 'All' }),
    },
  }),
  entry(SelectField, {
    usual: () => select('DALLAS'),
    quiet: () => select('DALLAS', { quiet: true }),
    code: () => select('~/.ssh/lab-ed25519', { mono: true }),
    disabled: () => select('DALLAS', { disabled: true }),
    long: () => select(texts.long),
    hostile: () => select(texts.html),
    'right to left': { rtl: true, render: () => select(texts.rtl) },
  }),
  entry(SelectRow, {
    usual: () => h(SelectRow, { label: 'Region', value: 'DALLAS' }, options(['DALLAS'])),
    hint: () =>
      h(SelectRow, { label: 'Region', value: 'DALLAS', hint: 'Close to you.' }, options(['DALLAS'])),
    error: () =>
      h(SelectRow, { label: 'Region', value: '', error: 'Choose a region.' }, options(['', 'DALLAS'])),
    disabled: () => h(SelectRow, { label: 'Region', value: 'DALLAS', disabled: true }, options(['DALLAS'])),
    long: () =>
      h(SelectRow, { label: texts.long, value: texts.long, hint: texts.words }, options([texts.long])),
  }),
  entry(DividerLine, {
    upright: { render: divider('right') },
    level: { render: divider('below') },
    focused: { render: divider('right'), act: (stage) => part(stage, '[role=separator]').focus() },
  }),
  entry(PanelTabs, {
    'all fit': tabRow('Files', 760),
    menu: tabRow('Files', 360),
    'tab of the menu': tabRow('Notes', 360),
    'open menu': {
      ...tabRow('Files', 360, 'open'),
      height: 240,
      // Without a layout, all tabs fit.
      act: (stage) => stage.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click(),
    },
  }),
  entry(SidePanel, {
    tabs: { width: 420, height: 300, render: () => panel('train-llama-01', 'DALLAS · 8 × H100', tabs) },
    'in one piece': { width: 420, height: 240, render: () => panel('data-2', 'DALLAS · 500 GB') },
    long: {
      width: 420,
      height: 280,
      render: () => panel(texts.long.repeat(3), texts.words, tabs.slice(0, 3)),
    },
    hostile: { width: 420, height: 240, render: () => panel(texts.html, texts.control) },
    'a megabyte': { width: 420, height: 300, render: () => panel(texts.huge, texts.huge) },
    'right to left': {
      width: 420,
      height: 240,
      rtl: true,
      render: () => panel(texts.rtl, texts.rtl, tabs.slice(0, 4)),
    },
  }),
  entry(
    StateDot,
    Object.fromEntries(
      (['running', 'moving', 'stopped', 'failed', 'other'] as const).map((state) => [
        state,
        () => h(StateDot, { state, style: { display: 'block' } }),
      ]),
    ),
  ),
  entry(FieldFrame, {
    hint: frame({ label: 'Name', hint: 'As it is listed.' }),
    error: frame({ label: texts.html, error: texts.long }),
  }),
  entry(TitledRow, {
    usual: titled({}),
    urgent: titled({ tone: 'urgent' }),
    snoozed: titled({ tone: 'snoozed' }),
    long: titled({ tone: 'attention', title: texts.long }),
    'right to left': { rtl: true, render: titled({ title: texts.rtl }) },
  }),
  entry(MomentField, {
    usual: () => h(MomentField, { label: 'Wait until', modelValue: '2026-11-29T08:00' }),
    hint: () => h(MomentField, { label: 'Wait until', modelValue: '', hint: texts.long }),
    error: () => h(MomentField, { label: texts.html, modelValue: '', error: texts.long }),
  }),
  entry(TextField, {
    empty: field({ placeholder: 'my-machine' }),
    filled: field({ modelValue: 'train-llama-01' }),
    hint: field({ hint: 'As it is listed.' }),
    error: field({ modelValue: 'train llama', error: 'A name has no spaces.' }),
    disabled: field({ modelValue: 'train-llama-01', disabled: true }),
    code: field({ label: 'Address', modelValue: 'https://api.example.com/api/v1', code: true }),
    secret: field({ modelValue: 'correct horse', secret: { show: 'Show', hide: 'Hide' } }),
    'secret shown': {
      render: field({ modelValue: 'correct horse', secret: { show: 'Show', hide: 'Hide' } }),
      act: (stage) => part(stage, '.icon-button').click(),
    },
    long: field({ label: texts.long, modelValue: texts.long, error: texts.words }),
    hostile: field({ label: texts.html, modelValue: texts.control, hint: texts.html }),
    'right to left': {
      rtl: true,
      render: field({ label: texts.rtl, modelValue: texts.rtl, hint: texts.rtl }),
    },
  }),
  entry(ToastArea, {
    usual: {
      render: () => h(ToastArea),
      act: () => {
        useToasts().show({ kind: 'success', content: 'Saved' })
        useToasts().show({ kind: 'error', content: texts.html, closable: true })
      },
    },
  }),
  entry(WheelLogo, { usual: () => h(WheelLogo), large: () => h(WheelLogo, { size: 64 }) }),
]
