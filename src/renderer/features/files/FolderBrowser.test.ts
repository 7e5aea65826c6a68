// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, shallowRef } from 'vue'
import type { FileEntry, FolderView } from '#shared/bridge/files'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine as machineView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import FolderBrowser from './FolderBrowser.vue'

let window: Mounted
afterEach(() => window.unmount())

const item = (name: string, changes: Partial<FileEntry> = {}): FileEntry => ({
  name,
  kind: 'file',
  size: 842,
  modifiedAt: 1_700_000_000,
  isUnreadable: false,
  ...changes,
})
const folders: Readonly<Record<string, FileEntry[]>> = {
  '/home/ubuntu': [
    item('train.py'),
    item('runs', { kind: 'folder' }),
    item('.bashrc'),
    item('caf\uFFFD', { isUnreadable: true }),
  ],
  '/home/ubuntu/runs': [item('loss.csv')],
  '/home': [item('ubuntu', { kind: 'folder' })],
}
const place = { account, machine: 'm-train', folder: '/home/ubuntu' }

async function open(handlers: Partial<Handlers> = {}) {
  const isConnected = shallowRef(true)
  const browser = () => h(FolderBrowser, { account, machine: machineView(), connected: isConnected.value })
  const listed = ({ path }: { path: string | null }): FolderView => {
    const there = path ?? '/home/ubuntu'
    return { path: there, entries: folders[there] ?? [], isCut: false }
  }
  window = await mounted(browser, {
    'files.list': listed,
    'files.download': () => null,
    'files.upload': () => null,
    ...handlers,
  })
  return isConnected
}
const rows = () => window.all('[role=row][aria-selected]')
async function press(name: string, key: string): Promise<void> {
  const grid = window.find('[role=grid]')
  const at = rows().findIndex((one) => one.textContent?.includes(name))
  expect(at, name).toBeGreaterThanOrEqual(0)
  await window.press(grid, 'Home')
  for (let step = 0; step < at; step += 1) await window.press(grid, 'ArrowDown')
  await window.press(grid, key)
}
const inputsOf = (call: string) =>
  window.main.calls.flatMap(([name, input]) => (name === call ? [input] : []))

describe('FolderBrowser', () => {
  it('lists folders before files, and dot files only on request', async () => {
    await open()
    expect(rows().map((one) => one.textContent)).toEqual([
      expect.stringContaining('runs'),
      expect.stringContaining('caf'),
      expect.stringContaining('train.py'),
    ])
    await window.click(t('files.actions.more'))
    await window.click(t('files.actions.showHidden'))
    expect(rows()).toHaveLength(4)
  })

  it('opens a folder, its parent and each folder of the path', async () => {
    await open()
    await press('runs', 'Enter')
    expect(rows().map((one) => one.textContent)).toEqual([expect.stringContaining('loss.csv')])
    await press('loss.csv', 'Backspace')
    expect(rows()).toHaveLength(3)
    await window.click(t('files.actions.parent'))
    expect(inputsOf('files.list').at(-1)).toMatchObject({ path: '/home' })
    await window.click('/')
    expect(inputsOf('files.list').at(-1)).toMatchObject({ path: '/' })
    expect(window.named(t('files.actions.parent')).matches(':disabled')).toBe(true)
  })

  it('selects a file instead of opening it, and downloads the selection', async () => {
    await open()
    expect(window.named(t('files.actions.download')).matches(':disabled')).toBe(true)
    await press('train.py', 'Enter')
    await window.click(t('files.actions.download'))
    expect(inputsOf('files.download')).toEqual([{ ...place, names: ['train.py'] }])
    await window.click(t('files.actions.upload'))
    expect(inputsOf('files.upload')).toEqual([{ ...place, from: 'files' }])
  })

  it('asks before it renames or deletes, and does neither to an unreadable name', async () => {
    await open({ 'files.rename': () => null })
    await press('caf', 'F2')
    await press('caf', 'Delete')
    expect(window.all('dialog')).toEqual([])
    await press('train.py', 'F2')
    const field = window.find('dialog input')
    if (!(field instanceof HTMLInputElement)) return expect.fail('no field')
    expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe('train')
    await window.type(field, 'main.py')
    await window.submit()
    expect(inputsOf('files.rename')).toEqual([{ ...place, name: 'train.py', to: 'main.py' }])
    // The folder is listed again after the question.
    expect(inputsOf('files.list')).toHaveLength(2)
    expect(window.all('dialog')).toEqual([])
  })

  it('warns about a folder’s contents only if a folder is deleted', async () => {
    await open()
    await press('train.py', 'Delete')
    const said = () => window.find('dialog').textContent
    expect(said()).toContain(t('files.delete.files'))
    expect(said()).not.toContain(t('files.delete.folders'))
    await window.click(t('common.actions.cancel'))
    await press('runs', 'Delete')
    expect(said()).toContain(t('files.delete.folders'))
  })

  it('lists again after a reconnection, and shows why a folder cannot be listed', async () => {
    let isRefused = false
    const isConnected = await open({
      'files.list': () => {
        if (isRefused) throw new FailureError({ kind: 'offline' })
        return { path: '/home/ubuntu', entries: [item('train.py')], isCut: true }
      },
    })
    expect(window.text()).toContain(t('files.cut', { count: '1' }))
    isRefused = true
    isConnected.value = false
    await window.settled()
    expect(inputsOf('files.list')).toHaveLength(1)
    isConnected.value = true
    await window.settled()
    expect(inputsOf('files.list')).toHaveLength(2)
    expect(window.all('[role=alert]')).toHaveLength(1)
    // The last listing stays.
    expect(rows()).toHaveLength(1)
  })
})
