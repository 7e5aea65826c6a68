import { Pencil, Power, Server, Trash2 } from '@lucide/vue'
import { defineComponent, h, ref, shallowRef, type VNode } from 'vue'
import type { MachineView } from '#shared/bridge/fleet'
import type { Failure } from '#shared/failure'
import DataGrid from '../../../src/renderer/components/DataGrid.vue'
import EditableRow from '../../../src/renderer/components/fields/EditableRow.vue'
import FieldRow from '../../../src/renderer/components/fields/FieldRow.vue'
import MoreFields from '../../../src/renderer/components/fields/MoreFields.vue'
import SecretRow from '../../../src/renderer/components/fields/SecretRow.vue'
import type { GridColumn } from '../../../src/renderer/components/grid-columns'
import GridHead from '../../../src/renderer/components/grid/GridHead.vue'
import GridRow from '../../../src/renderer/components/grid/GridRow.vue'
import NameCell from '../../../src/renderer/components/grid/NameCell.vue'
import RowButton from '../../../src/renderer/components/grid/RowButton.vue'
import FilterToolbar from '../../../src/renderer/components/list/FilterToolbar.vue'
import ListPage from '../../../src/renderer/components/list/ListPage.vue'
import ListToolbar from '../../../src/renderer/components/list/ListToolbar.vue'
import SelectionBar from '../../../src/renderer/components/list/SelectionBar.vue'
import StaleNotice from '../../../src/renderer/components/list/StaleNotice.vue'
import ReadingFailure from '../../../src/renderer/components/ReadingFailure.vue'
import { useResourceList } from '../../../src/renderer/components/list/resource-list'
import { rowModel } from '../../../src/renderer/components/rows'
import { draw, entry, part } from '../state'
import { texts } from '../texts'
import { account, accountView, machines, now } from '../world'

const columns = [
  { key: 'name', label: 'Name', min: 160, grow: 2, dropOrder: 0 },
  { key: 'status', label: 'State', min: 90, grow: 1, dropOrder: 1 },
  { key: 'address', label: 'Address', min: 110, grow: 1, dropOrder: 2, unsorted: true },
] satisfies readonly GridColumn[]
const [first] = machines
const cell = ({
  row,
  column,
}: {
  row: { name: string; status: string | null; address: string | null }
  column: string
}) =>
  column === 'name'
    ? h(NameCell, { name: row.name, tags: [] })
    : h('span', { class: 'cut' }, (column === 'status' ? row.status : row.address) ?? '–')
const grid = (others: object) => () =>
  draw(
    DataGrid,
    {
      label: 'Machines',
      rows: machines,
      columns,
      sorting: { key: 'name', descending: false },
      opened: null,
      nameOf: ({ name }: { name: string }) => name,
      ...others,
    },
    { cell },
  )
const inGrid = (row: VNode, template: string) =>
  h('div', { role: 'grid', 'aria-label': 'Machines', style: { '--grid-columns': template } }, [row])
const head =
  (others: object, template = '32px 1fr 90px 90px') =>
  () =>
    inGrid(
      h(GridHead, {
        columns,
        sorting: { key: 'name', descending: true },
        chosen: 'some',
        endLabel: undefined,
        ...others,
      }),
      template,
    )
const row =
  (others: object, template = '32px 1fr 90px 110px') =>
  () =>
    inGrid(
      h('div', { style: { position: 'relative', height: '36px' } }, [
        draw(
          GridRow,
          {
            row: first,
            columns,
            top: 0,
            active: false,
            opened: false,
            chosen: false,
            name: 'train-llama-01',
            ends: false,
            ...others,
          },
          { cell, end: () => null },
        ),
      ]),
      template,
    )
const list =
  (...rows: readonly ReturnType<typeof h>[]) =>
  () =>
    h('dl', [...rows])
const longName = 'finetune-llama-70b-instruct-of-team-nlp-eu-07'
const narrowed = (width: number, content: ReturnType<typeof h>) =>
  h('div', { style: { width: `${String(width)}px`, display: 'flex' } }, [content])
const editable = (others: object) =>
  h(EditableRow, {
    label: 'User',
    value: 'ubuntu',
    missing: 'Unknown',
    set: false,
    check: (text: string) => (text === '' ? 'Something is needed here.' : null),
    save: () => Promise.resolve(),
    ...others,
  })
const secret = { kind: 'machine-password', machine: 'm-train' } as const
const words = {
  title: 'Machines',
  filter: { label: 'Filter the machines', placeholder: 'Filter' },
  loading: 'Loading machines',
  signedOut: 'Sign in to see the machines.',
  empty: { icon: Server, title: 'No machines', text: 'Create the first one.' },
  noMatch: { title: 'No matches', text: 'No machine has “xyz” in its name.', action: 'Show all' },
}
const offline = { kind: 'cannot-connect', host: 'api.example.com:443', reason: 'ECONNREFUSED' } as const
interface PageState {
  readonly rows?: readonly MachineView[]
  readonly filter?: string
  readonly failure?: Failure
  readonly asOf?: number | null
  readonly incomplete?: string
}
const page = ({ rows = machines, filter = '', failure, asOf = now - 30, incomplete }: PageState = {}) => ({
  width: 420,
  height: 320,
  render: () =>
    h(
      defineComponent(() => {
        const list = useResourceList<MachineView, 'name'>({
          name: 'gallery',
          all: rows,
          find: (id) => rows.find((row) => row.id === id),
          asOf,
          failure: failure ?? null,
          model: rowModel({
            valueOf: ({ name }) => name,
            nameOf: ({ name }) => name,
            texts: ({ name }) => [name],
          }),
          sorting: { key: 'name', descending: false },
          filter: ref(filter),
        })
        return () =>
          draw(
            ListPage,
            {
              list,
              text: words,
              columns: [{ key: 'name', label: 'Name', min: 100, grow: 1, dropOrder: 0 }],
              refresh: () => Promise.resolve(),
              ...(incomplete === undefined ? {} : { incomplete }),
            },
            {
              cell: ({ row }: { row: MachineView }) => h(NameCell, { name: row.name, tags: [] }),
              summary: () => h('span', '9 machines'),
            },
          )
      }),
    ),
})
const kinds = [
  { value: null, label: 'All', count: 9 },
  { value: 'running', label: 'Running', count: 5 },
  { value: 'stopped', label: 'Stopped', count: 1 },
]
const toolbar = (others: object) => () =>
  h(ListToolbar, {
    label: 'Filter the machines',
    placeholder: 'Filter',
    groups: { label: 'State', choices: kinds },
    filter: '',
    group: null,
    ...others,
  })
const selection = (count: number) => () =>
  h(SelectionBar, {
    label: 'Selected machines',
    count,
    items: [
      { id: 'stop', label: 'Stop', icon: Power },
      { id: 'rename', label: 'Rename', icon: Pencil, disabledReason: 'One at a time.' },
      { id: 'delete', label: 'Delete', icon: Trash2, danger: true },
    ],
  })
const stale = (others: object) => () =>
  h(StaleNotice, { failure: null, asOf: now - 300, incomplete: null, busy: false, ...others })

export default [
  entry(DataGrid, {
    usual: { height: 300, render: grid({ opened: 'm-idle' }) },
    choosable: {
      height: 300,
      render: grid({ selection: { chosen: new Set(['m-train', 'm-off']), anchor: null } }),
    },
    empty: { height: 120, render: grid({ rows: [] }) },
    wide: { height: 200, render: grid({ end: { label: 'More', width: 40 } }) },
    'right to left': { height: 300, rtl: true, render: grid({}) },
  }),
  entry(GridHead, {
    sorted: head({}),
    'nothing chosen': head({ chosen: 'none', sorting: { key: 'status', descending: false } }),
    'cannot be chosen': head({ chosen: undefined, endLabel: 'More' }, '1fr 90px 90px'),
  }),
  entry(GridRow, {
    usual: row({}),
    active: row({ active: true }),
    opened: row({ opened: true }),
    chosen: row({ chosen: true }),
    'text alone': row({ textOf: () => ({ text: texts.long, look: 'muted', title: texts.long }) }),
    'cannot be chosen': row({ chosen: undefined }, '1fr 90px 110px'),
  }),
  entry(NameCell, {
    'name before tags': () => narrowed(220, h(NameCell, { name: longName, tags: ['llama', 'team-nlp'] })),
    'room for some of the tags': () =>
      narrowed(180, h(NameCell, { name: 'train-llama-01', tags: ['llama', 'team-nlp'] })),
    usual: () => h(NameCell, { name: 'train-llama-01', tags: [] }),
    tags: () => h(NameCell, { name: 'train-llama-01', tags: ['llama', 'team-nlp'] }),
    long: () =>
      h('div', { style: { display: 'grid' } }, [h(NameCell, { name: texts.long, tags: [texts.long] })]),
    html: () => h('div', { style: { display: 'grid' } }, [h(NameCell, { name: texts.html, tags: [] })]),
    'control characters': () => h(NameCell, { name: texts.control, tags: [] }),
    'a megabyte': () =>
      h('div', { style: { display: 'grid' } }, [h(NameCell, { name: texts.huge, tags: [] })]),
  }),
  entry(FieldRow, {
    usual: list(h(FieldRow, { label: 'Address', copied: '203.0.113.21' }, () => '203.0.113.21')),
    note: list(h(FieldRow, { label: 'This month', note: 'of it 18.40 USD estimated' }, () => '328.40 USD')),
    long: list(h(FieldRow, { label: texts.long, copied: texts.long }, () => texts.long)),
    html: list(h(FieldRow, { label: texts.html, copied: texts.html }, () => texts.html)),
  }),
  entry(EditableRow, {
    usual: () => list(editable({}))(),
    set: () => list(editable({ set: true }))(),
    missing: () => list(editable({ value: null }))(),
    editing: {
      render: () => list(editable({}))(),
      act: (stage) => part(stage, '.icon-button').click(),
    },
  }),
  entry(SecretRow, {
    masked: () => list(h(SecretRow, { label: 'Password', account, secret }))(),
    revealed: {
      handlers: { 'secret.reveal': () => 'correct horse battery staple' },
      render: () => list(h(SecretRow, { label: 'Password', account, secret }))(),
      act: (stage) => part(stage, '.icon-button').click(),
    },
  }),
  entry(MoreFields, {
    closed: () => h(MoreFields, { account, fields: [{ path: 'host_id', value: 'h-19' }] }),
    open: {
      render: () =>
        h(MoreFields, {
          account,
          fields: [
            { path: 'host_id', value: 'h-19' },
            { path: 'console.token', value: null },
            { path: texts.long, value: texts.html },
            { path: 'note', value: texts.control },
          ],
        }),
      act: (stage) => part(stage, 'summary').click(),
    },
    'a megabyte': {
      render: () => h(MoreFields, { account, fields: [{ path: 'dump', value: texts.huge }] }),
      act: (stage) => part(stage, 'summary').click(),
    },
  }),
  entry(ListPage, {
    list: page(),
    stale: page({ failure: offline, asOf: now - 600 }),
    incomplete: page({ incomplete: 'Only 9 of 12 machines could be read.' }),
    loading: page({ rows: [], asOf: null }),
    empty: page({ rows: [] }),
    'no match': page({ filter: 'xyz' }),
    failed: page({ rows: [], failure: offline }),
    'signed out': {
      ...page({ rows: [] }),
      handlers: {
        'accounts.list': () => ({ accounts: [accountView({ state: 'signed-out' })], selected: account }),
      },
    },
  }),
  entry(RowButton, {
    shown: () => h(RowButton, { shown: true }, () => 'Connect'),
    disabled: () => h(RowButton, { shown: true, disabled: true }, () => 'Connect'),
  }),
  entry(FilterToolbar, {
    plain: () => h(FilterToolbar, null, () => 'Filters'),
    refreshable: () => h(FilterToolbar, { busy: false }, () => 'Filters'),
    busy: () => h(FilterToolbar, { busy: true }, () => 'Filters'),
  }),
  entry(ReadingFailure, {
    failed: () =>
      h(ReadingFailure, { reading: { failure: shallowRef<Failure | null>(offline), busy: ref(false) } }),
    busy: () =>
      h(ReadingFailure, { reading: { failure: shallowRef<Failure | null>(offline), busy: ref(true) } }),
  }),
  entry(ListToolbar, {
    usual: toolbar({}),
    filtered: toolbar({ filter: 'llama', group: 'running' }),
    asking: toolbar({ filter: 'llama', asking: true }),
    'right to left': { rtl: true, render: toolbar({ filter: texts.rtl }) },
  }),
  entry(SelectionBar, { one: selection(1), many: selection(1_204) }),
  entry(StaleNotice, {
    failed: stale({ failure: offline }),
    'never read': stale({ failure: offline, asOf: null }),
    incomplete: stale({ incomplete: texts.words }),
    busy: stale({ failure: offline, busy: true }),
    'signed out': stale({ failure: { kind: 'not-signed-in', reason: 'expired' } }),
  }),
]
