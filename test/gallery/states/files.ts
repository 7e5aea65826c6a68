import { h } from 'vue'
import type { FileEntry, FilesView, FolderView, Transfer, TransferState } from '#shared/bridge/files'
import { FailureError } from '#shared/failure'
import { nothingChosen } from '../../../src/renderer/components/grid/selection'
import FileDialogs from '../../../src/renderer/features/files/FileDialogs.vue'
import FileList from '../../../src/renderer/features/files/FileList.vue'
import FilesTab from '../../../src/renderer/features/files/FilesTab.vue'
import FolderBrowser from '../../../src/renderer/features/files/FolderBrowser.vue'
import LinksDialog from '../../../src/renderer/features/files/LinksDialog.vue'
import NameConflictDialog from '../../../src/renderer/features/files/NameConflictDialog.vue'
import TransferDialog from '../../../src/renderer/features/files/TransferDialog.vue'
import TransferList from '../../../src/renderer/features/files/TransferList.vue'
import TransfersButton from '../../../src/renderer/features/files/TransfersButton.vue'
import FilesSection from '../../../src/renderer/pages/settings/FilesSection.vue'
import { useFiles } from '../../../src/renderer/stores/files'
import { draw, entry, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const item = (name: string, changes: Partial<FileEntry> = {}): FileEntry => ({
  name,
  kind: 'file',
  size: 1_234_567,
  modifiedAt: now - 7_200,
  isUnreadable: false,
  ...changes,
})
const usual = [
  item('datasets', { kind: 'folder', size: 4096 }),
  item('runs', { kind: 'folder', size: 4096, modifiedAt: now - 86_400 * 9 }),
  item('latest', { kind: 'link' }),
  item('model.safetensors', { size: 16_060_522_240 }),
  item('train.py', { size: 842 }),
  item('.bashrc', { size: 3_771 }),
]
const hostile = [
  item(texts.html),
  item(texts.control),
  item(texts.rtl, { kind: 'folder' }),
  item(texts.long, { size: null, modifiedAt: null }),
  item('caf\uFFFD', { isUnreadable: true }),
  item('../../etc/passwd', { size: Number.MAX_SAFE_INTEGER, modifiedAt: 0 }),
]
const folder = (entries: FileEntry[], changes: Partial<FolderView> = {}): FolderView => ({
  path: '/home/ubuntu',
  entries,
  isCut: false,
  ...changes,
})
const refused = (): never => {
  throw new FailureError({
    kind: 'local-fault',
    action: 'Listing files',
    reason: 'Your user on the machine doesn’t have permission.',
  })
}

const transfer = (state: TransferState, changes: Partial<Transfer> = {}): Transfer => ({
  id: JSON.stringify([state, changes]),
  account,
  machine: 'm-train',
  machineName: 'train-llama-01',
  direction: 'upload',
  name: 'datasets',
  others: 0,
  files: { done: 120, total: 300 },
  bytes: { done: 1_200_000_000, total: 4_000_000_000 },
  state,
  ...changes,
})
const done = {
  kind: 'done',
  verified: 'checksum',
  skipped: 0,
  links: { count: 0, names: [] },
  kept: 0,
  changed: 0,
  renamed: 0,
  modesRefused: 0,
  timesRefused: 0,
  linksCopied: 0,
  linksFailed: { count: 0, names: [], reason: '' },
  left: [],
} as const
const all = [
  transfer({ kind: 'waiting' }),
  transfer({ kind: 'counting' }),
  transfer({
    kind: 'asking',
    name: 'datasets',
    there: 'folder',
    more: 0,
    existing: { size: null, modifiedAt: 1_700_000_000 },
    copied: { size: null, modifiedAt: 1_700_003_600 },
  }),
  transfer({ kind: 'running', rate: 42_000_000 }),
  transfer({ kind: 'running', rate: 0 }),
  transfer({ kind: 'running', rate: null }, { direction: 'download', name: 'model.bin', others: 2 }),
  transfer({ kind: 'verifying' }),
  transfer(done, { direction: 'download' }),
  transfer({
    ...done,
    verified: 'size',
    skipped: 3,
    changed: 1,
    renamed: 2,
    modesRefused: 2,
    timesRefused: 1,
  }),
  transfer(
    { ...done, links: { count: 2, names: ['cache/latest', 'cache/loop'] } },
    { files: { done: 0, total: 0 }, bytes: { done: 0, total: 0 } },
  ),
  transfer({ kind: 'cancelled', left: [] }),
  transfer({ kind: 'cancelled', left: ['/mnt/full/datasets.part'] }),
  transfer({ kind: 'failed', failure: { kind: 'local-fault', action: 'Uploading', reason: texts.words } }),
]

const taken = {
  id: 't',
  direction: 'upload',
  machineName: 'train-llama-01',
  name: 'runs',
  existing: { size: 4_096, modifiedAt: 1_700_000_000 },
  copied: { size: 5_242_880, modifiedAt: 1_700_003_600 },
} as const
const links = (count: number, names: readonly string[]) => () =>
  h(LinksDialog, {
    asks: { id: 't', direction: 'upload', machineName: 'train-llama-01', count, names },
  })
const connected: FilesView = { account, machine: 'm-train', link: { kind: 'connected' } }
const tab = (
  view: Partial<FilesView>,
  listed: () => FolderView = () => folder(usual),
  transfers: Transfer[] = [],
  name = 'train-llama-01',
): GalleryState => ({
  width: 380,
  render: () => h(FilesTab, { account, machine: machine({ name }) }),
  handlers: {
    'files.look': () => ({ ...connected, ...view }),
    'files.list': listed,
    'files.transfers': () => transfers,
  },
})
const browser = (listed: () => FolderView): GalleryState => ({
  width: 380,
  render: () => h(FolderBrowser, { account, machine: machine(), connected: true }),
  handlers: { 'files.list': listed },
})
const summary = (transfers: Transfer[]): GalleryState => ({
  render: () => h(TransfersButton),
  handlers: { 'files.transfers': () => transfers },
})
const place = { account, machine: 'm-train', folder: '/home/ubuntu' }

export default [
  entry(FilesTab, {
    usual: tab({}, undefined, [transfer({ kind: 'running', rate: 42_000_000 })]),
    'not asked yet': tab({ link: { kind: 'off', why: 'no-consent' } }),
    'not asked yet, with what was dropped': {
      ...tab({ link: { kind: 'off', why: 'no-consent' } }),
      act: () => {
        useFiles().dropped = { account, machine: 'm-train' }
      },
    },
    connecting: tab({ link: { kind: 'connecting' } }),
    'not running': tab({ link: { kind: 'off', why: 'not-running' } }),
    waiting: tab({ link: { kind: 'waiting', until: now + 9, attempts: 2, reason: 'ECONNREFUSED' } }),
    'no key': tab({ link: { kind: 'stopped', stop: { kind: 'no-key' } } }),
    'a megabyte': tab(
      { link: { kind: 'waiting', until: now + 9, attempts: 2, reason: texts.huge } },
      undefined,
      [transfer({ kind: 'waiting' }, { name: texts.huge })],
      texts.huge,
    ),
    'not asked yet, a megabyte': tab({ link: { kind: 'off', why: 'no-consent' } }, undefined, [], texts.huge),
  }),
  entry(FolderBrowser, {
    usual: browser(() => folder(usual)),
    empty: browser(() => folder([])),
    'only hidden': browser(() => folder([item('.cache', { kind: 'folder' })])),
    loading: {
      width: 380,
      render: () => h(FolderBrowser, { account, machine: machine(), connected: false }),
    },
    failed: browser(refused),
    cut: browser(() => folder(usual, { isCut: true })),
    'ten thousand': browser(() =>
      folder(Array.from({ length: 10_000 }, (_, index) => item(`image-${index}.png`))),
    ),
    'deep and hostile': browser(() =>
      folder(hostile, { path: `/srv/${texts.control}/${texts.rtl}/${texts.long}/data` }),
    ),
    'a megabyte': browser(() =>
      folder([item(texts.huge, { kind: 'folder' }), item(`${texts.control}${texts.huge}`)], {
        path: `/srv/${texts.huge}/data`,
      }),
    ),
    'failed, a megabyte': browser(() => {
      throw new FailureError({ kind: 'local-fault', action: 'Listing files', reason: texts.huge })
    }),
  }),
  entry(FileList, {
    usual: {
      width: 380,
      height: 300,
      render: () =>
        h(FileList, {
          label: 'Files',
          rows: usual.map((one, index) => ({ ...one, id: String(index) })),
          sorting: { key: 'size', descending: true },
          selection: { ...nothingChosen, chosen: new Set(['3']) },
        }),
    },
  }),
  entry(TransferList, {
    usual: { width: 380, render: () => h(TransferList, { transfers: all }) },
    hostile: {
      width: 380,
      render: () =>
        h(TransferList, {
          transfers: [texts.html, texts.control, texts.huge].map((name) => transfer(done, { name })),
        }),
    },
    'a megabyte': {
      width: 380,
      render: () =>
        h(TransferList, {
          withMachine: true,
          transfers: [
            transfer(
              { kind: 'failed', failure: { kind: 'local-fault', action: 'Uploading', reason: texts.huge } },
              { machineName: texts.huge },
            ),
          ],
        }),
    },
    'right to left': { width: 380, rtl: true, render: () => h(TransferList, { transfers: all }) },
  }),
  entry(TransfersButton, {
    running: summary(all),
    failed: summary(all.filter(({ state }) => ['done', 'failed'].includes(state.kind))),
    ended: summary([transfer(done)]),
    open: { ...summary(all), act: (stage) => part(stage, '[popover]').showPopover() },
  }),
  entry(NameConflictDialog, {
    file: () => h(NameConflictDialog, { asks: { ...taken, there: 'file', more: 0 } }),
    'folder, and others': () => h(NameConflictDialog, { asks: { ...taken, there: 'folder', more: 3 } }),
    'a megabyte': () =>
      h(NameConflictDialog, {
        asks: { ...taken, name: texts.huge, machineName: texts.huge, there: 'file', more: 1 },
      }),
  }),
  entry(FilesSection, { usual: () => h(FilesSection) }),
  entry(TransferDialog, {
    'long text': () =>
      draw(
        TransferDialog,
        {
          title: texts.long,
          transfer: { id: 'transfer', direction: 'upload' },
          answer: () => Promise.resolve(),
        },
        { default: () => texts.long, choices: () => 'Skip' },
      ),
  }),
  entry(LinksDialog, {
    one: links(1, ['data/latest']),
    many: links(123, ['data/a', 'data/b']),
    hostile: links(2, [texts.html, texts.control]),
    'a megabyte': links(1, [texts.huge]),
  }),
  entry(FileDialogs, {
    'new folder': () => h(FileDialogs, { place, asks: { kind: 'newFolder' } }),
    rename: () => h(FileDialogs, { place, asks: { kind: 'rename', name: 'train.py' } }),
    delete: () => h(FileDialogs, { place, asks: { kind: 'delete', names: [texts.long], hasFolder: false } }),
    'delete, a megabyte': () =>
      h(FileDialogs, { place, asks: { kind: 'delete', names: [texts.huge], hasFolder: false } }),
    'delete several': () =>
      h(FileDialogs, { place, asks: { kind: 'delete', names: ['a', 'b', 'c'], hasFolder: true } }),
  }),
]
