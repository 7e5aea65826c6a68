import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './fixtures'

// Electron's security checklist (docs/security.md), tested on the built application.

/** A page's permission requests and the browser's answers. */
const permissions = `(async () => {
  const query = (name) => navigator.permissions.query({ name }).then(({ state }) => state)
  const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi']
  const position = new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(() => resolve('known'), ({ code }) => resolve(code)))
  return [...await Promise.all(names.map(query)), Notification.permission, await position]
})()`
const allDenied = [...Array.from({ length: 7 }, () => 'denied'), 1]

const globals = `['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer']
  .filter((name) => name in window)`

/** Results of a page's attempts to navigate, open a window and save a file, as seen by main. */
const triesOf = (electron: ElectronApplication, index: number) =>
  electron.evaluate(async ({ BrowserWindow }, at) => {
    const window = BrowserWindow.getAllWindows().toSorted((one, next) => one.id - next.id)[at]
    if (!window) throw new Error('there is no such window')
    const { webContents } = window
    const prevented = (act: string, listen: (settle: (event: Electron.Event) => void) => void) =>
      new Promise<boolean>((resolve) => {
        listen((event) => setImmediate(() => resolve(event.defaultPrevented)))
        void webContents.executeJavaScript(`void setTimeout(() => { ${act} })`, true)
      })
    const leaves = await prevented(`location.href = 'https://example.com/'`, (settle) =>
      webContents.once('will-navigate', settle),
    )
    const saves = await prevented(
      `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click()`,
      (settle) => webContents.session.once('will-download', settle),
    )
    const open = `String(window.open('https://example.com/'))`
    const opened: unknown = await webContents.executeJavaScript(open, true)
    return { leaves, saves, opened, host: new URL(webContents.getURL()).host }
  }, index)

const expectRestricted = async (electron: ElectronApplication, index: number): Promise<void> => {
  const page = electron.windows()[index]
  if (!page) throw new Error('there is no such page')
  expect(await page.evaluate(globals)).toEqual([])
  expect(await page.evaluate(permissions)).toEqual(allDenied)
  const windows = electron.windows().length
  const refused = { leaves: true, saves: true, opened: 'null', host: 'wheelhouse' }
  expect(await triesOf(electron, index)).toEqual(refused)
  expect(electron.windows()).toHaveLength(windows)
}

test('no page has Node, permissions, other windows, downloads or another place, whoever opens it', async ({
  start,
}) => {
  const { electron } = await start()
  await expectRestricted(electron, 0)

  // A window added in future without restrictions.
  const opened = electron.waitForEvent('window')
  await electron.evaluate(async ({ BrowserWindow }) => {
    const forgotten = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } })
    await forgotten.loadURL('app://wheelhouse/index.html')
  })
  await opened
  await expectRestricted(electron, 1)
  const attaching = electron.evaluate(
    ({ BrowserWindow }) =>
      new Promise((resolve) => {
        for (const { webContents } of BrowserWindow.getAllWindows())
          webContents.once('will-attach-webview', (event) =>
            setImmediate(() => resolve(event.defaultPrevented)),
          )
      }),
  )
  await (
    await opened
  ).evaluate(
    `void document.body.append(Object.assign(document.createElement('webview'), { src: 'about:blank' }))`,
  )
  expect(await attaching).toBe(true)
})

const refusedByPolicy: readonly (readonly [string, string])[] = [
  ['script-src-elem', `add('script', { textContent: 'window.inline = true' })`],
  ['script-src-elem', `add('script', { src: 'https://example.com/x.js' })`],
  [
    'script-src-attr',
    `html('<i id="one" onclick="window.inline = true"></i>'), document.getElementById('one').click()`,
  ],
  ['img-src', `add('img', { src: 'https://example.com/x.png' })`],
  ['img-src', `add('img', { src: 'http://127.0.0.1:9/x.png' })`],
  ['object-src', `add('object', { data: 'https://example.com/x.pdf' })`],
  ['media-src', `add('video', { src: 'https://example.com/x.mp4' })`],
  ['style-src-elem', `html('<style>body { color: red }</style>')`],
  ['form-action', `add('form', { action: 'https://example.com/' }).submit()`],
  ['base-uri', `add('base', { href: 'https://example.com/' })`],
  ['worker-src', `try { new Worker('data:text/javascript,0') } catch {}`],
]

test('the window’s page runs and loads nothing but the application’s own files', async ({ start }) => {
  const { window } = await start()
  const violated = (act: string): Promise<unknown> =>
    window.evaluate(`new Promise((resolve) => {
      const add = (name, values) => {
        const element = Object.assign(document.createElement(name), values)
        document.body.append(element)
        return element
      }
      const html = (text) => document.body.insertAdjacentHTML('beforeend', text)
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true })
      setTimeout(resolve, 3_000, 'allowed')
      ${act}
    })`)
  for (const [directive, act] of refusedByPolicy) expect.soft(await violated(act), act).toBe(directive)
  expect(await window.evaluate('window.inline')).toBeUndefined()
})
