import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './fixtures'
import type { Application } from './support/application'
import { violations } from './support/accessibility'
import { openOtherProgram } from './support/other-program'
import { pictureInBothThemes } from './support/pictures'
import { chooseToConnect, connect, lookAround, machineNames, openMachine, openPage } from './support/window'

/** Text of the window, read from the main process: Playwright gets no answer from a crashed page. */
const shown = (electron: ElectronApplication): Promise<{ readonly url: string; readonly text: string }> =>
  electron.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (!contents || contents.isCrashed() || contents.isLoading()) return { url: '', text: '' }
    const text: unknown = await contents.executeJavaScript('document.body.innerText')
    return { url: contents.getURL(), text: String(text) }
  })

const processes = (electron: ElectronApplication) =>
  electron.evaluate(({ app, BrowserWindow }) => ({
    page: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    graphics: app.getAppMetrics().find(({ type }) => type === 'GPU')?.pid ?? 0,
  }))

test('a crashed page returns to its place, and a page that keeps crashing asks first', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await openPage(window, 'Machines')
  await machineNames(window)
  await openMachine(window, 'train-llama-01')
  const { url } = await shown(electron)
  expect(url).toMatch(/#\/machines.*[?&/]/)
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = (...input: readonly unknown[]) => {
      Object.assign(globalThis, { asked: input.at(-1) })
      return Promise.resolve({ response: 0, checkboxChecked: false })
    }
  })
  const back = async () => {
    await expect.poll(async () => (await shown(electron)).text).toContain('IdentitiesOnly=yes')
    expect((await shown(electron)).url).toBe(url)
  }
  for (let crash = 1; crash <= 4; crash += 1) {
    const { page } = await processes(electron)
    process.kill(page, 'SIGKILL')
    await expect.poll(async () => (await processes(electron)).page).not.toBe(page)
    await back()
    const asked = await electron.evaluate(() => 'asked' in globalThis)
    expect(asked, `after crash ${String(crash)}`).toBe(crash === 4)
  }
})

test('the window stays as it is when the graphics process crashes @deep', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await window.getByRole('link', { name: 'Billing', exact: true }).click()
  const chart = window.locator('canvas').first()
  await expect(chart).toBeVisible({ timeout: 30_000 })
  const before = await processes(electron)
  expect(before.graphics).toBeGreaterThan(0)
  process.kill(before.graphics, 'SIGKILL')
  await expect.poll(async () => (await processes(electron)).graphics).not.toBe(before.graphics)
  await expect.poll(async () => (await processes(electron)).graphics).toBeGreaterThan(0)
  expect((await processes(electron)).page).toBe(before.page)
  await pictureInBothThemes(electron, window, 'After a crash of the graphics process')
  await openPage(window, 'Machines')
  expect(await machineNames(window)).toHaveLength(12)
})

test('a crash of the application leaves a report without secrets, which the next start shows', async ({
  start,
  place,
}) => {
  const canary = 'canary-7f3a'
  const folder = join(place.userData, 'crash-reports')
  const reports = () => (existsSync(folder) ? readdirSync(folder) : [])
  const first = await start()
  await lookAround(first.window)
  await first.window.getByRole('link', { name: 'Billing', exact: true }).click()
  await expect(first.window.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible()
  const child = first.electron.process()
  await first.electron.evaluate((_, text) => void Promise.reject(new Error(text)), canary)
  await expect.poll(reports).toHaveLength(1)
  expect(child.exitCode, 'a rejection ends nothing').toBeNull()
  const ended = once(child, 'exit')
  await first.electron.evaluate((_, text) => {
    setTimeout(() => {
      throw new TypeError(text)
    }, 0)
  }, canary)
  await ended
  expect(child.signalCode, 'no core is dumped').toBe('SIGKILL')
  const [rejection = '', exception = ''] = reports()
  for (const name of [rejection, exception])
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(canary)
  expect(JSON.parse(readFileSync(join(folder, exception), 'utf8'))).toMatchObject({
    kind: 'exception',
    error: 'TypeError',
    system: `${process.platform} ${process.arch}`,
  })

  const second = await start()
  const notice = second.window.getByRole('complementary', { name: 'Crash' })
  await expect(notice).toContainText('Wheelhouse quit unexpectedly')
  expect(await violations(second.electron, second.window)).toEqual([])
  await pictureInBothThemes(second.electron, second.window, 'After a crash')
  await second.electron.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => void Object.assign(globalThis, { shown: path })
  })
  await notice.getByRole('button', { name: 'Show report' }).click()
  await expect
    .poll(() => second.electron.evaluate((): unknown => Reflect.get(globalThis, 'shown')))
    .toBe(join(folder, exception))
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
  await second.quit()

  const { window } = await start()
  await expect(window.getByRole('link', { name: 'Billing', exact: true })).toBeVisible()
  await expect(window.getByRole('complementary', { name: 'Crash' })).toBeHidden()
})

test('a crash in native code, which leaves no memory behind, is reported at the next start @deep', async ({
  start,
  place,
}) => {
  const folder = join(place.userData, 'crash-reports')
  const { electron, window } = await start()
  await lookAround(window)
  // From here on the account is saved.
  await machineNames(window)
  const child = electron.process()
  const ended = once(child, 'exit')
  child.kill('SIGSEGV')
  await ended
  expect(child.signalCode).toBe('SIGSEGV')

  const second = await start()
  const notice = second.window.getByRole('complementary', { name: 'Crash' })
  await expect(notice).toContainText('Wheelhouse quit unexpectedly')
  const [report = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(JSON.parse(readFileSync(join(folder, report), 'utf8'))).toMatchObject({
    kind: 'ended',
    error: 'unknown',
    frames: [],
    system: `${process.platform} ${process.arch}`,
  })
  const dumps = readdirSync(place.userData, { recursive: true, encoding: 'utf8' })
  expect(dumps.filter((file) => /\.dmp$|(?:^|\/)core(?:\.|$)/.test(file))).toEqual([])
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
  await second.quit()
  const third = await start()
  expect(await machineNames(third.window)).toHaveLength(12)
  await expect(third.window.getByRole('complementary', { name: 'Crash' })).toBeHidden()
})

test('a secret on the clipboard of a killed application is removed at the next start, and nothing else is @deep', async ({
  start,
  service,
  secrets,
  place,
}, testInfo) => {
  // X11 drops the clipboard of an ended program; macOS, Windows and clipboard managers keep it, as this one does.
  const other = await openOtherProgram(testInfo.outputPath('other-program'))
  const marker = join(place.userData, 'copied-secret')
  const copied = async ({ window, electron }: Application): Promise<string> => {
    const [machine = ''] = await machineNames(window)
    const panel = await openMachine(window, machine)
    await panel.getByRole('button', { name: 'Copy Password' }).click()
    const password = secrets.find(({ what }) => what === `password of ${machine}`)?.value ?? ''
    await expect.poll(other.copied).toBe(password)
    const child = electron.process()
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(existsSync(marker), 'noted for the next start').toBe(true)
    return password
  }
  try {
    const first = await start()
    await chooseToConnect(first.window)
    await connect(first.window, service)
    await other.copy(await copied(first))

    const second = await start()
    await expect.poll(other.copied).toBe('')
    await expect.poll(() => existsSync(marker)).toBe(false)
    await copied(second)
    await other.copy('of another program')

    await start()
    await expect.poll(() => existsSync(marker)).toBe(false)
    expect(await other.copied()).toBe('of another program')
  } finally {
    await other.close()
  }
})
