import { once } from 'node:events'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge, callBridge, machineId, selectedAccount } from './support/bridge'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

/** The files of a machine of the sandbox, in its home. */
const openFiles = async (window: Page) => {
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  const panel = await openMachine(window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'Files' }).click()
  await panel.getByRole('button', { name: 'Allow on all machines' }).click()
  const list = panel.getByRole('grid', { name: 'Files in /home/ubuntu' })
  await expect(list.getByRole('row').nth(1)).toBeVisible()
  return { panel, list, transfers: panel.getByRole('region', { name: 'Transfers' }) }
}
const pick = (electron: ElectronApplication, ...paths: string[]) =>
  electron.evaluate(({ dialog }, filePaths) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths })
  }, paths)

/** An archive of Electron with one file: the sizes and text of its header, then the file. */
function archiveOf(text: string): Buffer {
  const header = JSON.stringify({ files: { 'package.json': { size: text.length, offset: '0' } } })
  const padded = header.length + ((4 - (header.length % 4)) % 4)
  const sizes = Buffer.alloc(16)
  for (const [at, size] of [4, padded + 8, padded + 4, header.length].entries())
    sizes.writeUInt32LE(size, at * 4)
  return Buffer.concat([sizes, Buffer.from(header.padEnd(padded, '\0')), Buffer.from(text)])
}

test('an existing name is replaced, kept under a new name or skipped, as the user answers', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  const { panel, list, transfers } = await openFiles(window)
  const mine = join(place.userData, '..', 'mine')
  await mkdir(mine)
  const paths = ['a.txt', 'b.txt'].map((name) => join(mine, name))
  await Promise.all(paths.map((path) => writeFile(path, 'first')))
  await pick(electron, ...paths)
  const upload = panel.getByRole('button', { name: 'Upload', exact: true })
  await upload.click()
  await expect(transfers.getByText(/Complete/)).toHaveCount(1)

  await Promise.all(paths.map((path) => writeFile(path, 'second')))
  const later = Date.now() / 1000 + 60
  await Promise.all(paths.map((path) => utimes(path, later, later)))
  await upload.click()
  const asking = (name: string) => window.getByRole('dialog', { name: `${name} already exists` })
  await expect(asking('a.txt').getByRole('button', { name: 'Keep both' })).toBeFocused()
  await expect(transfers.getByText('Waiting for your answer…')).toBeVisible()
  await expect(asking('a.txt').getByRole('row', { name: /^Existing 5 B/ })).not.toContainText('Newer')
  await expect(asking('a.txt').getByRole('row', { name: /^New 6 B/ })).toContainText('Newer')
  await pictureInBothThemes(electron, window, 'Before a file is replaced')
  expect(await violations(electron, window)).toEqual([])
  await asking('a.txt').getByRole('button', { name: 'Replace' }).click()
  await asking('b.txt').getByRole('button', { name: 'Keep both' }).click()
  await expect(transfers.getByText(/1 renamed/)).toBeVisible()
  await expect(list.getByRole('row', { name: /b \(2\)\.txt/ })).toBeVisible()

  await upload.click()
  await asking('a.txt').getByText('Do the same for 1 other').click()
  await asking('a.txt').getByRole('button', { name: 'Skip' }).click()
  await expect(transfers.getByText(/2 skipped because they exist/)).toBeVisible()

  // Downloads ask in the same way.
  const into = join(place.userData, '..', 'downloads')
  await mkdir(into)
  await writeFile(join(into, 'a.txt'), 'here')
  await pick(electron, into)
  for (const name of [/File a\.txt/, /File b\.txt/])
    await list.getByRole('row', { name }).click({ modifiers: ['Control'] })
  await panel.getByRole('button', { name: 'Download…' }).click()
  await asking('a.txt').press('Escape')
  await expect(transfers.getByText('Cancelled')).toBeVisible()
  expect(await readFile(join(into, 'a.txt'), 'utf8')).toBe('here')
  await panel.getByRole('button', { name: 'Download…' }).click()
  await asking('a.txt').getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => readFile(join(into, 'b.txt'), 'utf8').catch(() => '')).toBe('first')
  expect(await readFile(join(into, 'a.txt'), 'utf8')).toBe('second')
})

test('files named .asar, which Electron reads as folders, are copied like any others @deep', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  const { panel, list, transfers } = await openFiles(window)
  const mine = join(place.userData, '..', 'build')
  await mkdir(mine)
  const content = { 'notes.asar': Buffer.from('no archive'), 'app.asar': archiveOf('{"name":"app"}') }
  for (const [name, bytes] of Object.entries(content)) await writeFile(join(mine, name), bytes)
  await pick(electron, mine)
  await panel.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(transfers.getByText(/Complete/)).toHaveCount(1)
  await expect(transfers.getByText(/skipped/)).toHaveCount(0)

  const into = join(place.userData, '..', 'downloads')
  await mkdir(into)
  await pick(electron, into)
  await list.getByRole('row', { name: /Folder build/ }).click({ modifiers: ['Control'] })
  await panel.getByRole('button', { name: 'Download…' }).click()
  await expect(transfers.getByText(/Complete/)).toHaveCount(2)
  for (const [name, bytes] of Object.entries(content))
    expect(await readFile(join(into, 'build', name))).toEqual(bytes)
})

test('a reconnect keeps the folder and the selection @deep', async ({ start }) => {
  const { electron, window } = await start()
  const { panel, list } = await openFiles(window)
  await list
    .getByRole('row', { name: /Folder/ })
    .first()
    .dblclick()
  const inner = panel.getByRole('grid', { name: /^Files in \/home\/ubuntu\/./ })
  const row = inner.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  const selected = (await row.getByText(/./).first().textContent()) ?? ''
  const folder = await inner.getAttribute('aria-label')
  await row.click({ modifiers: ['Control'] })
  await expect(row).toHaveAttribute('aria-selected', 'true')
  const path = folder?.replace('Files in ', '') ?? ''
  const place = { account: await selectedAccount(window), machine: await machineId(window, 'train-llama-01') }
  // A file that is new to the window until it lists the folder again.
  await askBridge(window, 'files.makeFolder', { ...place, folder: path, name: 'made meanwhile' })
  await expect(inner.getByText('made meanwhile')).toHaveCount(0)
  // Sleep and waking up end every connection.
  const isThere = async () => (await callBridge(window, 'files.list', { ...place, path })).ok
  await electron.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'))
  await expect.poll(isThere).toBe(false)
  await electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
  await expect(inner.getByText('made meanwhile')).toBeVisible()
  expect(await inner.getAttribute('aria-label')).toBe(folder)
  await expect(inner.getByRole('row', { name: selected })).toHaveAttribute('aria-selected', 'true')
  await expect(inner.getByRole('row', { selected: true })).toHaveCount(1)
})

/** A transfer that waits for an answer, and so is running. */
const beginUpload = async (electron: ElectronApplication, window: Page, path: string) => {
  const { panel, transfers } = await openFiles(window)
  await writeFile(path, 'x')
  await pick(electron, path)
  const upload = panel.getByRole('button', { name: 'Upload', exact: true })
  await upload.click()
  await expect(transfers.getByText(/Complete/)).toHaveCount(1)
  await upload.click()
  const asking = window.getByRole('dialog', { name: 'notes.txt already exists' })
  await expect(asking).toBeVisible()
  return { transfers, upload, asking }
}

test('quitting during transfers asks, names them, and follows the answer', async ({ start, place }) => {
  const { electron, window, quit } = await start()
  const path = join(place.userData, '..', 'notes.txt')
  const { asking, transfers, upload } = await beginUpload(electron, window, path)
  await electron.evaluate(({ app, dialog }) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...given: unknown[]) => {
      asked.push(given.at(-1))
      return Promise.resolve({ response: 1, checkboxChecked: false })
    }
    app.quit()
  })
  const asked = () => electron.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'asked')))
  await expect.poll(asked).toContain('Quit and stop 1 running item?')
  expect(await asked()).toContain('notes.txt to train-llama-01')
  // It continues, with its window and the transfer.
  await asking.getByRole('button', { name: 'Skip' }).click()
  await expect(transfers.getByText(/1 skipped/)).toBeVisible()

  await upload.click()
  await expect(asking).toBeVisible()
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
  await quit()
})

test('the question before quitting is visible, also when quitting again, and asked again after a failure', async ({
  start,
  place,
}) => {
  const { electron, window, quit } = await start()
  await beginUpload(electron, window, join(place.userData, '..', 'notes.txt'))
  await electron.evaluate(({ app, BrowserWindow, dialog }) => {
    const isSeen = () => BrowserWindow.getAllWindows().every((one) => one.isVisible())
    const questions: { readonly isSeen: boolean; readonly fail: () => void }[] = []
    const quitHidden = (): void => {
      for (const one of BrowserWindow.getAllWindows()) one.hide()
      app.quit()
    }
    Object.assign(globalThis, { isSeen, questions, quitHidden })
    dialog.showMessageBox = () =>
      new Promise((_, reject) =>
        questions.push({ isSeen: isSeen(), fail: () => reject(new Error('no display')) }),
      )
  })
  const say = (text: string) => electron.evaluate<unknown>(text)
  const asked = () => say('JSON.stringify(questions.map((one) => one.isSeen))')
  await say('quitHidden()')
  await expect.poll(asked).toBe('[true]')
  await say('quitHidden()')
  await expect.poll(() => say('isSeen()')).toBe(true)
  expect(await asked()).toBe('[true]')
  await say('questions[0].fail()')
  await say('quitHidden()')
  await expect.poll(asked).toBe('[true,true]')
  await say('questions[1].fail()')
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
  await quit()
})

test('signals that end a session end the application in order, during the question before quitting @deep', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  await beginUpload(electron, window, join(place.userData, '..', 'notes.txt'))
  const program = electron.process()
  const ended = once(program, 'exit')
  // The question is the system's own, and nobody answers it.
  await electron.evaluate(({ app, dialog }) => {
    dialog.showMessageBox = new Proxy(dialog.showMessageBox, {
      apply(ask, self, given: unknown[]) {
        Object.assign(globalThis, { asks: true })
        const answer: unknown = Reflect.apply(ask, self, given)
        return answer
      },
    })
    app.quit()
  })
  await expect.poll(() => electron.evaluate((): unknown => Reflect.get(globalThis, 'asks'))).toBe(true)
  // Same as systemd ending the rest of a session.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) program.kill(signal)
  expect(await ended).toEqual([0, null])
})

test('a computer that shuts down ends the application without a question', async ({ start, place }) => {
  const { electron, window } = await start()
  await beginUpload(electron, window, join(place.userData, '..', 'notes.txt'))
  const ended = once(electron.process(), 'exit')
  // The process may end before it has answered.
  await electron.evaluate(({ powerMonitor }) => powerMonitor.emit('shutdown')).catch(() => undefined)
  expect(await ended).toEqual([0, null])
})
