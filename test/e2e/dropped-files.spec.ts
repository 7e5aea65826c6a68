import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { removeFolder } from '../fixtures/remove-folder'
import { makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { askBridge } from './support/bridge'
import { pictureInBothThemes } from './support/pictures'
import { machine, reachAt, serverAddress, startServer } from './support/real-server'
import { slowLine } from './support/slow-line'
import { lookAround } from './support/window'

test.use({ needs: ['sshd'] })

/** Files of this computer, dragged into the window as from the system's file manager. */
async function drag(window: Page, files: readonly string[]) {
  const session = await window.context().newCDPSession(window)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop', place: Locator): Promise<void> => {
    const box = await place.boundingBox()
    if (!box) throw new Error('nothing to drag to')
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  return {
    enter: (place: Locator) => send('dragEnter', place),
    over: (place: Locator) => send('dragOver', place),
    drop: (place: Locator) => send('drop', place),
  }
}

interface Files {
  readonly electron: ElectronApplication
  readonly window: Page
  readonly panel: Locator
  readonly list: Locator
  /** The local folder of dropped files, and the open folder of the machine. */
  readonly mine: string
  readonly home: string
  readonly line: Awaited<ReturnType<typeof slowLine>>
}

/** The files of a machine that is a real server, over a connection with so many bytes a second. */
async function withFiles(
  { electron, window }: Pick<Files, 'electron' | 'window'>,
  rate: number,
  use: (files: Files) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder()
  const [mine, home] = [join(folder, 'mine'), join(folder, 'home')]
  for (const made of [mine, home]) mkdirSync(made)
  const key = makeKey(join(folder, 'key'))
  await lookAround(window)
  const address = await serverAddress(window)
  const server = await startServer(home, key, address)
  const line = await slowLine(address, server.port, rate)
  try {
    const panel = await reachAt(window, { port: line.port, user: server.user, identityFile: key })
    await panel.getByRole('tab', { name: 'Files' }).click()
    await panel.getByRole('button', { name: 'Only on this machine' }).click()
    const list = panel.getByRole('grid', { name: `Files in ${home}` })
    await expect(list).toBeVisible()
    await use({ electron, window, panel, list, mine, home, line })
  } finally {
    line.close()
    await server.close()
    await removeFolder(folder)
  }
}

test('files and folders dropped from the system arrive in the open folder', async ({ start }) =>
  withFiles(await start(), Infinity, async ({ electron, window, panel, list, mine, home }) => {
    mkdirSync(join(mine, 'runs of today', 'deep'), { recursive: true })
    const content = {
      'weights ü.bin': randomBytes(3_000_001),
      'runs of today/log': randomBytes(1_000),
      'runs of today/deep/empty': Buffer.alloc(0),
    }
    for (const [name, bytes] of Object.entries(content)) writeFileSync(join(mine, name), bytes)
    const files = await drag(
      window,
      ['weights ü.bin', 'runs of today'].map((name) => join(mine, name)),
    )
    const isOver = panel.getByText('Drop to upload to ')
    await files.enter(list)
    await files.over(list)
    await expect(isOver).toBeVisible()
    await pictureInBothThemes(electron, window, 'Files dragged over a folder')
    await files.over(panel.getByRole('heading').first())
    await expect(isOver).toBeHidden()
    await files.over(list)
    await expect(isOver).toBeVisible()
    await files.drop(list)
    await expect(panel.getByText(/Complete, checksums match/)).toBeVisible()
    await expect(list.getByRole('row', { name: /weights ü\.bin/ })).toBeVisible()
    for (const [name, bytes] of Object.entries(content))
      expect(readFileSync(join(home, name)).equals(bytes), name).toBe(true)
  }))

test('files dropped on a machine wait for its folder, and arrive there @deep', async ({ start }) =>
  withFiles(await start(), Infinity, async ({ electron, window, panel, list, mine, home }) => {
    const path = join(mine, 'config.yaml')
    writeFileSync(path, 'seed: 42')
    writeFileSync(join(mine, 'notes.txt'), 'later')
    const files = await drag(window, [path])
    const waits = panel.getByText('The upload starts once the folder is open')
    const row = window.getByRole('row', { name: new RegExp(machine) })
    const other = window.getByRole('row', { name: /eval-nightly/ }).first()

    await panel.getByRole('tab', { name: 'Connection' }).click()
    await files.enter(row)
    await files.over(row)
    await pictureInBothThemes(electron, window, 'Files dragged over a machine')
    await files.drop(row)
    await expect(list.getByRole('row', { name: /config\.yaml/ })).toBeVisible()
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('seed: 42')

    await panel.getByRole('tab', { name: 'Connection' }).click()
    const more = await drag(window, [join(mine, 'notes.txt')])
    await more.enter(panel)
    await more.over(panel)
    await pictureInBothThemes(electron, window, 'Files dragged over a panel')
    await more.drop(panel)
    await expect(list.getByRole('row', { name: /notes\.txt/ })).toBeVisible()
    // The user is asked first for another machine: nothing is sent before that, or after a cancel.
    await files.enter(other)
    await files.over(other)
    await files.drop(other)
    const asked = window.getByRole('complementary', { name: /eval-nightly/ })
    await expect(asked.getByRole('button', { name: 'Only on this machine' })).toBeVisible()
    await expect(asked.getByText('The upload starts once the folder is open')).toBeVisible()
    await pictureInBothThemes(electron, window, 'Files that wait for a machine’s folder')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(waits).toBeHidden()
    expect(await askBridge(window, 'files.transfers', {})).toHaveLength(2)
  }))

test('a transfer over a slow connection shows its speed and the time left @deep', async ({ start }) =>
  withFiles(await start(), 400_000, async ({ electron, window, panel, list, mine, home, line }) => {
    await window.setViewportSize({ width: 1280, height: 720 })
    const path = join(mine, 'checkpoint')
    writeFileSync(path, randomBytes(8_000_000))
    const files = await drag(window, [path])
    await files.enter(list)
    await files.drop(list)
    const transfers = panel.getByRole('region', { name: 'Transfers' })
    // Visible in a small window without scrolling.
    await expect(transfers.getByRole('listitem')).toBeInViewport({ ratio: 1 })
    await expect(
      transfers.getByText(/^[\d.]+ [kM]?B of 8 MB · [234]\d\d kB\/s · [12]?\d s left$/),
    ).toBeVisible()
    const done = await transfers
      .getByRole('progressbar', { name: 'Progress of checkpoint' })
      .evaluate((bar) => (bar instanceof HTMLProgressElement ? bar.value : Number.NaN))
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(1)
    await pictureInBothThemes(electron, window, 'A transfer over a slow line')
    line.free()
    await expect(transfers.getByText(/Complete, checksums match/)).toBeVisible()
    expect(readFileSync(join(home, 'checkpoint')).equals(readFileSync(path))).toBe(true)
  }))
