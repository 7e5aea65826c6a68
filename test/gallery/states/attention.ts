import { h } from 'vue'
import type { Alert } from '#shared/bridge/alert'
import type { Creation } from '#shared/bridge/creation'
import type { ExportSource } from '#shared/bridge/export'
import type { PlanView } from '#shared/bridge/template'
import { FailureError } from '#shared/failure'
import AlertList from '../../../src/renderer/features/alerts/AlertList.vue'
import AlertRow from '../../../src/renderer/features/alerts/AlertRow.vue'
import BulkDialog from '../../../src/renderer/features/bulk/BulkDialog.vue'
import CreationBars from '../../../src/renderer/features/creation/CreationBars.vue'
import ExportButton from '../../../src/renderer/features/export/ExportButton.vue'
import LedgerProgress from '../../../src/renderer/features/local-store/LedgerProgress.vue'
import LedgerUnreadable from '../../../src/renderer/features/local-store/LedgerUnreadable.vue'
import StoreNotice from '../../../src/renderer/features/local-store/StoreNotice.vue'
import NotesFields from '../../../src/renderer/features/notes/NotesFields.vue'
import TagsField from '../../../src/renderer/features/notes/TagsField.vue'
import type { UnreadableRecords } from '#shared/bridge/listing'
import type { StoreState } from '#shared/bridge/store'
import { never } from '../fake-main'
import { entry, fill, part } from '../state'
import { texts } from '../texts'
import { account, alert, alerts, creationView, ledger, machine, now } from '../world'

const row = (shown: Alert) => () => h('ul', [h(AlertRow, { alert: shown })])
const idle = (changes: Partial<Extract<Alert['cause'], { kind: 'idle' }>>) =>
  alert('a-idle', {
    kind: 'idle',
    machine: 'm-idle',
    name: 'notebook-anna',
    cost: null,
    use: 'cpu-idle',
    ...changes,
  })
const withAlerts = (shown: readonly Alert[]) => ({
  render: () => h(AlertList),
  handlers: { 'alerts.list': ({ account: id }: { account: string }) => (id === account ? [...shown] : []) },
})

const offline = { kind: 'cannot-connect', host: 'api.example.com:443', reason: 'ECONNRESET' } as const
const creation = (name: string, state: Creation['state'], changes: Partial<Creation> = {}): Creation =>
  creationView({ id: `c-${name}`, request: `request of ${name}`, name, sentAt: now - 75, state, ...changes })
const made = { machine: 'm-new', found: false }
const others = [
  { id: 'm-1', name: 'eval-1' },
  { id: 'm-2', name: 'eval-2' },
]
const creations: readonly Creation[] = [
  creation('sending', { kind: 'sending' }),
  creation('looking', { kind: 'looking', failure: offline }),
  creation('created', { kind: 'created', ...made }, { usualSeconds: 180 }),
  creation('wished', { kind: 'created', ...made }, { connect: 'waiting', usualSeconds: 60 }),
  creation(
    'booting',
    { kind: 'booting', ...made },
    { link: { kind: 'waiting', until: now + 20, attempts: 2, reason: 'ECONNREFUSED' } },
  ),
  creation('set up', { kind: 'setting-up', machine: 'm-train', found: false, hasBegun: true }),
  creation('running', { kind: 'running', machine: 'm-train', found: true, ssh: 'unchecked', stop: null }),
  creation('silent', { kind: 'running', machine: 'm-train', found: false, ssh: 'silent', stop: null }),
  creation('blocked', {
    kind: 'running',
    machine: 'm-train',
    found: false,
    ssh: 'blocked',
    stop: { kind: 'no-key' },
  }),
  creation('ready', {
    kind: 'ready',
    machine: 'm-train',
    found: false,
    setUp: 'done',
    detail: null,
    log: null,
  }),
  creation('unread', {
    kind: 'ready',
    machine: 'm-train',
    found: false,
    setUp: 'not-allowed',
    detail: null,
    log: null,
  }),
  creation('warned', {
    kind: 'ready',
    machine: 'm-train',
    found: false,
    setUp: 'degraded',
    detail: texts.html,
    log: null,
  }),
  creation('broken', {
    kind: 'ready',
    machine: 'm-train',
    found: false,
    setUp: 'failed',
    detail: texts.long,
    log: `+ pip install torch\n${texts.long}\n${texts.html}\nRunparts: 1 failures (part-001)`,
  }),
  creation(
    'failed',
    { kind: 'failed', machine: 'm-bad', found: false, status: 'error' },
    { connect: 'ended' },
  ),
  creation('gone', { kind: 'gone', ...made, why: 'deleted' }, { connect: 'ended' }),
  creation('unclear', { kind: 'unclear', candidates: others }),
  creation('absent', { kind: 'absent', others }),
  creation('unknown', { kind: 'unknown' }),
  creation(texts.html, { kind: 'absent', others: [{ id: 'm-x', name: texts.long }] }),
]
/** Request of a creation from a template. */
const planned = '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11'
const plan = (name: string): PlanView => ({
  request: planned,
  account,
  name,
  template: 'Training',
  machine: null,
  steps: [
    { step: 'firewall', state: { kind: 'unknown' } },
    { step: 'commands', state: { kind: 'waiting' } },
  ],
})
const notices = (shown: readonly Creation[], plans: readonly PlanView[] = []) => ({
  render: () => h(CreationBars, { kind: 'machine' }),
  handlers: {
    'creation.list': ({ account: id }: { account: string }) => (id === account ? [...shown] : []),
    'creation.shown': () => undefined,
    'plans.list': () => [...plans],
  },
})

const bulk = (others: object) => () =>
  h(BulkDialog, {
    title: 'Stop 2 machines?',
    text: ['Their programs end. The disks stay, and so does the price.'],
    items: [machine(), machine({ id: 'm-off', name: 'archive' })],
    action: 'Stop',
    act: () => never,
    done: 'Stopped',
    ...others,
  })
const confirm = (stage: HTMLElement) => part(stage, 'form').dispatchEvent(new Event('submit'))

const source = (): ExportSource => ({ kind: 'rows', name: 'machines', columns: ['name'], rows: [] })
const saveAs =
  (shown: object = {}) =>
  () =>
    h(ExportButton, { account, what: 'machines', source, ...shown })

const store = (state: StoreState) => ({
  render: () => h(StoreNotice),
  handlers: { 'store.state': () => state },
})
const progress = (changes: Parameters<typeof ledger>[0]) => ({
  render: () => h(LedgerProgress, { account }),
  handlers: { 'ledger.state': () => ledger({ complete: false, known: 4_800, ...changes }) },
})
const unreadable = (records: UnreadableRecords | undefined) => ({
  render: () => h(LedgerUnreadable, { account }),
  handlers: { 'ledger.state': () => ledger(records ? { unreadable: records } : {}) },
})
const tags = (shown: readonly string[]) => () => h(TagsField, { tags: shown })
const typed = (text: string) => (stage: HTMLElement) => fill(stage, text)
const notes = (resource: string) => () => h(NotesFields, { account, resource, placeholder: 'What it is for' })

export default [
  entry(AlertList, {
    all: withAlerts(alerts),
    none: withAlerts([]),
    'hostile list': withAlerts(
      Object.values(texts).flatMap((name, at) => [
        { ...idle({ name }), id: `a-hostile-${String(at)}` },
        alert(`a-long-${String(at)}`, {
          kind: 'long-running',
          machine: `m-${String(at)}`,
          name,
          hours: 72,
          perHour: null,
          cost: null,
        }),
      ]),
    ),
    'all snoozed': withAlerts(alerts.map((one) => ({ ...one, snoozedUntil: now + 3_600 }))),
  }),
  entry(AlertRow, {
    ...Object.fromEntries(alerts.map((one) => [one.cause.kind, row(one)])),
    snoozed: row({ ...idle({}), snoozedUntil: now + 3_600 }),
    'asked for how long': {
      render: row(idle({})),
      act: (stage) => part(stage, '.actions .icon-button').click(),
    },
    long: row(idle({ name: texts.long })),
    html: row(idle({ name: texts.html })),
    'control characters': row(idle({ name: texts.control })),
    'right to left': { rtl: true, render: row(idle({ name: texts.rtl })) },
  }),
  entry(BulkDialog, {
    asked: bulk({}),
    'one machine': bulk({ title: 'Stop train-llama-01?', items: [machine()] }),
    'names are typed': bulk({
      danger: true,
      action: 'Delete',
      typeLabel: (name: string) => `Type ${name} to confirm`,
    }),
    running: { render: bulk({}), act: confirm },
    'some failed': {
      render: bulk({
        act: (id: string) =>
          id === 'm-off'
            ? Promise.resolve({ kind: 'done' })
            : Promise.reject(
                new FailureError({ kind: 'refused-by-service', message: texts.words, status: 409 }),
              ),
      }),
      act: confirm,
    },
    unknown: {
      render: bulk({ act: () => Promise.resolve({ kind: 'unknown', failure: offline }) }),
      act: confirm,
    },
    hostile: bulk({
      title: texts.long,
      items: [texts.html, texts.control, texts.rtl].map((name) => ({ id: name, name })),
    }),
    'a megabyte': bulk({
      title: texts.huge,
      text: [texts.huge],
      items: [machine({ name: `${texts.control}${texts.huge}` })],
      typeLabel: (name: string) => `Type ${name} to confirm`,
    }),
    'several, a megabyte': bulk({ items: [machine(), machine({ id: 'm-huge', name: texts.huge })] }),
  }),
  entry(CreationBars, {
    every: { ...notices(creations), act: (stage) => part(stage, '.line button').click() },
    'in one line': notices(creations),
    'with the work of its template': notices(
      creations.slice(0, 1).map((item) => ({ ...item, request: planned })),
      creations.slice(0, 1).map(({ name }) => plan(name)),
    ),
    'work alone': notices([], [plan(texts.html)]),
    none: notices([]),
  }),
  entry(ExportButton, {
    usual: saveAs(),
    small: saveAs({ small: true }),
    disabled: saveAs({ disabled: true }),
    open: { render: saveAs(), act: (stage) => part(stage, 'button').click() },
    choosing: {
      handlers: { 'export.table': () => never },
      render: saveAs(),
      act: (stage) => {
        part(stage, 'button').click()
        part(stage, '[role=menuitem]').click()
      },
    },
  }),
  entry(LedgerProgress, {
    reading: progress({ reading: true }),
    'total unknown': progress({ reading: true, total: null }),
    failed: progress({ failure: offline }),
    complete: progress({ complete: true }),
  }),
  entry(LedgerUnreadable, {
    none: unreadable(undefined),
    one: unreadable({ count: 1, text: '{"id":"s-1","due_time":null}' }),
    many: unreadable({ count: 12_345, text: texts.html }),
  }),
  entry(StoreNotice, {
    'set aside': store({ kind: 'open', quarantined: 'wheelhouse-2026-03-14.db.damaged' }),
    'no keychain': store({ kind: 'no-keychain', reason: 'org.freedesktop.Secret.Service' }),
    locked: store({ kind: 'locked', reason: 'The keyring is locked.' }),
    'key lost': store({ kind: 'key-lost' }),
    damaged: store({ kind: 'damaged', reason: texts.words }),
    'disk full': store({ kind: 'disk-full' }),
    unsupported: store({ kind: 'unsupported', reason: 'invalid ELF header' }),
    failed: store({ kind: 'failed', reason: 'EACCES: permission denied' }),
    well: store({ kind: 'open', quarantined: null }),
  }),
  entry(NotesFields, { empty: notes('m-new'), filled: notes('m-train') }),
  entry(TagsField, {
    empty: tags([]),
    some: tags(['llama', 'team-nlp', texts.rtl]),
    many: tags(Array.from({ length: 20 }, (_, at) => `tag-${String(at)}`)),
    long: tags([texts.long]),
    html: tags([texts.html]),
    'too long': { render: tags(['llama']), act: typed(texts.long) },
    'too many': {
      render: tags(Array.from({ length: 20 }, (_, at) => `t${String(at)}`)),
      act: typed('one more'),
    },
  }),
]
