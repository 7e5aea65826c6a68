import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

// Requirements of Electron's security checklist (docs/security.md) on sources and declarations.

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|vue|html)$/.test(file) && !/\.(test|fixture)\.ts$/.test(file))
  .map((file) => ({ file: `src/${file}`, text: read(`src/${file}`) }))

/**
 * Patterns that weaken a page, open addresses of the service, or serve files of the disk, by point of the
 * checklist.
 */
const forbidden: readonly (readonly [string, RegExp])[] = [
  ['node integration', /nodeIntegration\w*: (?!false)/],
  ['no context isolation', /contextIsolation: (?!true)/],
  ['no process sandbox', /\bsandbox: false|appendSwitch\((?!'password-store')/],
  ['no web security', /\bwebSecurity\b|disable-web-security/],
  ['insecure content', /allowRunningInsecureContent|allow-running-insecure-content/],
  ['experimental features', /experimentalFeatures|enable-experimental/],
  ['Blink features', /enableBlinkFeatures|enable-blink-features/],
  ['popups and webviews', /allowpopups|<webview|webviewTag: (?!false)/],
  ['addresses opened outside', /openExternal|openPath/],
  ['pages of the disk', /loadFile\(|'file:\/\//],
  ['certificates accepted unseen', /certificate-error|ignore-certificate-errors|rejectUnauthorized/],
  ['text taken for markup', /v-html|innerHTML|insertAdjacentHTML|outerHTML|document\.write/],
  ['code made of text', /\beval\(|new Function\(|'unsafe-eval'|script-src[^;"`]*'unsafe-/],
  ['remote module', /@electron\/remote|enableRemoteModule/],
]

/** The only address that is opened outside: a forward on this computer's loopback (local-page.test.ts). */
const opensForward = 'openLocalPage: (page) => shell.openExternal(localPageUrl(page)),'
const opensIn = 'src/main/desktop/application.ts'

const uses = (text: string): readonly string[] =>
  forbidden.filter(([, pattern]) => pattern.test(text)).map(([point]) => point)

it('no source weakens a page or opens a forbidden address', () => {
  expect(sources.length).toBeGreaterThan(800)
  const found = sources.flatMap(({ file, text }) =>
    uses(file === opensIn ? text.replace(opensForward, '') : text).map((point) => `${file}: ${point}`),
  )
  expect(found).toEqual([])
})

it('only a page of this computer’s loopback is opened outside', () => {
  const { text } = sources.find(({ file }) => file === opensIn) ?? expect.fail()
  expect(text.split('openExternal')).toHaveLength(2)
  expect(text).toContain(opensForward)
  expect(text).toContain("import { localPageUrl } from '../tunnels/local-page'")
})

it.each([
  ['new BrowserWindow({ webPreferences: { webSecurity: false } })', 'no web security'],
  ['webPreferences: { sandbox: false }', 'no process sandbox'],
  ['webPreferences: { nodeIntegrationInWorker: true }', 'node integration'],
  ['void shell.openExternal(link)', 'addresses opened outside'],
  ['<p v-html="notes" />', 'text taken for markup'],
])('the search in %s finds %s', (text, point) => expect(uses(text)).toEqual([point]))

it('every window names its isolation, and is opened in two files', () => {
  const opened = sources.filter(({ text }) => text.includes('new BrowserWindow('))
  expect(opened.map(({ file }) => file).toSorted()).toEqual([
    'src/main/desktop/main-window.ts',
    'src/main/desktop/print-pdf.ts',
  ])
  for (const { text } of opened)
    for (const option of [
      'sandbox: true',
      'contextIsolation: true',
      'nodeIntegration: false',
      'webviewTag: false',
    ])
      expect(text).toContain(option)
})

it('the preload imports nothing of Electron but the bridge and the paths of dropped files, and exposes one object', () => {
  const preload = read('src/preload/index.ts')
  expect(preload.match(/import .* from 'electron'/g)).toEqual([
    "import { contextBridge, ipcRenderer, webUtils } from 'electron'",
  ])
  expect(preload.match(/exposeInMainWorld\(.*\)/g)).toEqual(["exposeInMainWorld('wheelhouse', bridge)"])
})

it('main listens to three channels, all in files that check who sends', () => {
  const listening = sources.filter(({ text }) => /\bipcMain\.(handle|on)\w*\(/.test(text))
  expect(listening.map(({ file }) => file).toSorted()).toEqual([
    'src/main/desktop/bridge-host.ts',
    'src/main/desktop/dropped-files.ts',
    'src/main/desktop/stream-host.ts',
  ])
  for (const { text } of listening) {
    expect(text.match(/\bipcMain\.(handle|on)\w*\(/g)).toHaveLength(1)
    expect(text).toContain('isTrusted(event)')
  }
})

const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
const Package = z.object({ devDependencies: z.record(z.string(), z.string()) })

it('one version of Electron is pinned, and the release stops at known vulnerabilities', () => {
  const { electron } = Package.parse(JSON.parse(read('package.json'))).devDependencies
  expect(electron).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Number.parseInt(electron ?? '', 10)).toBeGreaterThanOrEqual(45)
  const locked = Lock.parse(JSON.parse(read('package-lock.json'))).packages['node_modules/electron']
  expect(locked?.version).toBe(electron)
  const release = read('.github/workflows/release.yml')
  // Each job waits for the previous one.
  const order = ['run: npm run audit', 'needs: check', 'needs: test', 'release.mjs package', 'needs: package']
  const places = order.map((step) => release.indexOf(step))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places).not.toContain(-1)
})
