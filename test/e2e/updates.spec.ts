import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { build } from 'vite'
import { UpdatesView } from '../../src/shared/bridge/updates'
import { expect, test } from './fixtures'
import { root } from './support/application'
import { startUpdateServer } from './support/update-server'

// Real Electron and electron-updater against a server on loopback, as an AppImage has them (updates-app/).

test.skip(process.platform !== 'linux', 'AppImages are of Linux')

const folder = join(root, 'test-results/updates-app')
const old = '#!/bin/sh\n# the version that is installed\n'

// The bundle is made once for them all.
test.describe.configure({ mode: 'default' })

let electron: ElectronApplication
let server: Awaited<ReturnType<typeof startUpdateServer>>
let appImage: string
let marker: string
/** What leaves a mark once it is started. */
let next: string

test.beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: join(import.meta.dirname, 'updates-app/main.ts'),
      outDir: folder,
      minify: false,
      target: 'node20.18',
      rollupOptions: {
        output: { format: 'cjs', entryFileNames: 'main.cjs', chunkFileNames: '[name]-[hash].cjs' },
      },
    },
  })
  const about = { name: 'updates', version: '1.0.0', main: 'main.cjs' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about))
})

test.beforeEach(async ({ place }) => {
  const executablePath = process.env.ELECTRON_EXEC_PATH
  if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
  server = await startUpdateServer()
  appImage = join(place.home, 'Wheelhouse.AppImage')
  marker = join(place.home, 'started')
  next = `#!/bin/sh\necho "started without APPIMAGE='$APPIMAGE'" > '${marker}'\n${'#'.repeat(200_000)}\n`
  writeFileSync(appImage, old, { mode: 0o750 })
  const feed = join(place.home, 'app-update.yml')
  writeFileSync(feed, `provider: generic\nurl: ${server.url}\nupdaterCacheDirName: wheelhouse-updater\n`)
  electron = await _electron.launch({
    executablePath,
    args: [folder, `--user-data-dir=${place.userData}`],
    env: { ...process.env, XDG_CACHE_HOME: place.home, APPIMAGE: appImage, UPDATES_FEED: feed },
    chromiumSandbox: process.getuid?.() !== 0,
  })
})
test.afterEach(async () => {
  await electron.close()
  await server.close()
})

const ask = async (name: 'check' | 'download') =>
  UpdatesView.parse(
    await electron.evaluate((_, asked): unknown => {
      const updates: unknown = Reflect.get(globalThis, 'updates')
      return typeof updates === 'function' ? Reflect.apply(updates, undefined, [asked]) : null
    }, name),
  ).state
/** The application ends, so nothing is answered. */
const restart = (): Promise<unknown> =>
  electron
    .evaluate((): unknown => {
      const updates: unknown = Reflect.get(globalThis, 'updates')
      return typeof updates === 'function' ? Reflect.apply(updates, undefined, ['restart']) : null
    })
    .catch(() => undefined)
const isUntouched = (): void => {
  expect(readFileSync(appImage, 'utf8')).toBe(old)
  expect(statSync(appImage).mode & 0o777).toBe(0o750)
}

test('a new version is found, downloaded, put in place and started, each step when asked', async () => {
  server.offer({ content: next })
  expect(await ask('check')).toEqual({ kind: 'available', version: '1.1.0', notes: 'New\n\nFaster & calmer' })
  expect(server.seen.map(({ url }) => url.replace(/\?.*/, ''))).toEqual(['/latest-linux.yml'])
  expect(await ask('download')).toMatchObject({ kind: 'ready', version: '1.1.0' })
  isUntouched()
  expect(new Set(server.seen.map(({ staging }) => staging))).toEqual(new Set(['none']))
  const ended = electron.waitForEvent('close')
  await restart()
  await ended
  expect(readFileSync(appImage, 'utf8')).toBe(next)
  expect(statSync(appImage).mode & 0o777).toBe(0o750)
  await expect.poll(() => existsSync(marker) && readFileSync(marker, 'utf8')).toContain("APPIMAGE=''")
})

test('an older version, and the same one, are not offered', async () => {
  for (const version of ['0.9.9', '1.0.0']) {
    server.offer({ content: next, version })
    expect(await ask('check')).toMatchObject({ kind: 'idle' })
  }
})

test('a server without a release, or with an error, is named', async () => {
  server.offer({ content: next, status: 404 })
  const missing = { kind: 'failed', problem: 'no-release', reason: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' }
  expect(await ask('check')).toEqual(missing)
  server.offer({ content: next, status: 500 })
  expect(await ask('check')).toEqual({ kind: 'failed', problem: 'no-release', reason: 'HTTP_ERROR_500' })
})

test('a file with the wrong hash and one that is cut leave the old version, and the next try works', async () => {
  server.offer({ content: next, sent: next.replace('started', 'altered') })
  await ask('check')
  const damaged = { kind: 'failed', problem: 'damaged', reason: 'ERR_CHECKSUM_MISMATCH' }
  expect(await ask('download')).toEqual(damaged)
  isUntouched()
  server.offer({ content: next, cut: true })
  await ask('check')
  expect(await ask('download')).toMatchObject({ kind: 'failed', problem: 'unreachable' })
  isUntouched()
  server.offer({ content: next })
  await ask('check')
  expect(await ask('download')).toMatchObject({ kind: 'ready' })
})
