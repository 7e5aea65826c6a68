import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { root, steadily } from './support/application'
import { control } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { chooseToConnect, connect, lookAround, machineNames } from './support/window'

test('a second start of a profile focuses the existing window, and ends', async ({ start, place }) => {
  const { electron } = await start()
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
  const program = electron.process().spawnfile
  const rootOnly = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const second = spawn(program, [root, `--user-data-dir=${place.userData}`, ...rootOnly], {
    stdio: 'ignore',
    env: { ...process.env, HOME: place.home },
  })
  await once(second, 'exit')
  expect(second.exitCode).toBe(0)
  const windows = () =>
    electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => !window.isMinimized() && window.isFocused()),
    )
  await expect.poll(windows).toEqual([true])
})

test('closing the window ends the application if no tray could bring it back', async ({ start }) => {
  const { electron } = await start({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' })
  const ended = once(electron.process(), 'exit')
  const asked = electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  // The process may end before it has answered.
  await Promise.race([ended, asked.catch(() => ended)])
  await ended
})

test('a covered window still draws, so that it can be clicked', async ({ start }) => {
  const { electron, window } = await start()
  await electron.evaluate(async ({ BrowserWindow }) => {
    const [covered] = BrowserWindow.getAllWindows()
    if (!covered) throw new Error('there is no window')
    const cover = new BrowserWindow(covered.getBounds())
    await cover.loadURL('about:blank')
    await cover.webContents.executeJavaScript('new Promise((drawn) => requestAnimationFrame(drawn))')
  })
  await lookAround(window)
  await machineNames(window)
})

test('the window goes nowhere else, whatever its page requests', async ({ start }) => {
  const { electron, window } = await start()
  const asked = await electron.evaluate(async ({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()
    if (!shown) throw new Error('there is no window')
    const prevented = new Promise<boolean>((resolve) => {
      shown.webContents.once('will-navigate', (event) => setImmediate(() => resolve(event.defaultPrevented)))
    })
    await shown.webContents.executeJavaScript(
      `void setTimeout(() => { location.href = 'https://example.com/' })`,
    )
    return { prevented: await prevented, url: shown.webContents.getURL() }
  })
  expect(asked.prevented).toBe(true)
  expect(asked.url).toContain('app://wheelhouse/')
  expect(await window.evaluate(`window.open('https://example.com/')`)).toBeNull()
  expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('a server gets no client certificate of the user, and choosing a key starts in the folder of keys', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  // Same as Electron's behaviour since 44; this version's own cannot be observed.
  const answer = await electron.evaluate(({ app }) => {
    const given = { prevented: false, certificates: -1 }
    const event = { preventDefault: () => (given.prevented = true) }
    const choose = (...certificates: unknown[]) => (given.certificates = certificates.length)
    const contents = { emit: () => false }
    app.emit('select-client-certificate', event, contents, 'https://example.com', [{}], choose)
    return given
  })
  expect(answer).toEqual({ prevented: true, certificates: 0 })

  await lookAround(window)
  await machineNames(window)
  const asked = await electron.evaluateHandle(({ dialog }) => {
    const folders: (string | undefined)[] = []
    const cancel = (...options: unknown[]) => {
      const last = options.at(-1)
      if (typeof last === 'object' && last && 'defaultPath' in last) folders.push(String(last.defaultPath))
      return Promise.resolve({ canceled: true, filePaths: [] })
    }
    dialog.showOpenDialog = cancel
    return folders
  })
  await askBridge(window, 'ssh.chooseIdentity', {
    account: await selectedAccount(window),
    machine: await machineId(window, 'train-llama-01'),
  })
  expect(await steadily(() => asked.evaluate((folders) => folders))).toEqual([join(place.home, '.ssh')])
})

test('a redirect is not followed, so that credentials reach no other host', async ({ start }) => {
  const seen = { service: 0, elsewhere: 0 }
  const origin = async (count: 'service' | 'elsewhere', location?: string) => {
    const server = createServer((_, response) => {
      seen[count] += 1
      response.writeHead(location === undefined ? 200 : 307, { location }).end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    return { server, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
  }
  const elsewhere = await origin('elsewhere')
  const service = await origin('service', `${elsewhere.origin}/stolen`)
  const { window } = await start()
  await chooseToConnect(window)
  await connect(window, { baseUrl: service.origin, username: 'anna', password: 'Typed-Word-7713' })
  await expect(window.getByText('This isn’t a compatible service.')).toBeVisible()
  expect(seen.service).toBeGreaterThan(0)
  expect(seen.elsewhere).toBe(0)
  for (const { server } of [service, elsewhere]) server.close()
})

test('the connection turns amber when an answer is overdue, and green with the next one @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const connection = window.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText('Connected')
  // A machine is being created, so the list is read every three seconds.
  await control(service, 'POST', '/faults', {
    kind: 'delay',
    milliseconds: 600_000,
    path: '/virtual-machines',
    count: 1,
  })
  await expect(connection).toContainText('Answer overdue', { timeout: 30_000 })
  await pictureInBothThemes(electron, window, 'An overdue answer')
  await expect(connection).toContainText('Connected', { timeout: 60_000 })
})
