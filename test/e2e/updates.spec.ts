import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { build } from 'vite'
import { UpdatesView } from '../../src/shared/bridge/updates'
import { expect, test as base } from './fixtures'
import { root, screenSwitches } from './support/application'
import { startUpdateServer } from './support/update-server'

// Real Electron and electron-updater against a server on loopback, as an AppImage has them (updates-app/).

const folder = join(root, 'test-results/updates-app')
const old = '#!/bin/sh\n# the version that is installed\n'

/** An installed AppImage, and its update server. */
interface Installed {
  readonly electron: ElectronApplication
  readonly server: Awaited<ReturnType<typeof startUpdateServer>>
  readonly appImage: string
  readonly marker: string
  /** A program that leaves a mark once it is started. */
  readonly next: string
}

const test = base.extend<{ readonly installed: Installed }, { readonly bundled: string }>({
  bundled: [
    async ({}, use) => {
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
      await use(folder)
    },
    { scope: 'worker' },
  ],
  installed: async ({ place, bundled }, use) => {
    const executablePath = process.env.ELECTRON_EXEC_PATH
    if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
    const server = await startUpdateServer()
    const appImage = join(place.home, 'Wheelhouse.AppImage')
    const marker = join(place.home, 'started')
    const next = `#!/bin/sh\necho "started without APPIMAGE='$APPIMAGE'" > '${marker}'\n${'#'.repeat(200_000)}\n`
    writeFileSync(appImage, old, { mode: 0o750 })
    const feed = join(place.home, 'app-update.yml')
    writeFileSync(feed, `provider: generic\nurl: ${server.url}\nupdaterCacheDirName: wheelhouse-updater\n`)
    const electron = await _electron.launch({
      executablePath,
      args: [bundled, `--user-data-dir=${place.userData}`, ...screenSwitches],
      env: { ...process.env, XDG_CACHE_HOME: place.home, APPIMAGE: appImage, UPDATES_FEED: feed },
      chromiumSandbox: process.getuid?.() !== 0,
    })
    await use({ electron, server, appImage, marker, next })
    await electron.close()
    await server.close()
  },
})

test.skip(process.platform !== 'linux', 'AppImages are of Linux')

// All tests share one bundle.
test.describe.configure({ mode: 'default' })

const ask = async ({ electron }: Installed, name: 'check' | 'download' | 'restart') =>
  UpdatesView.parse(
    await electron.evaluate((_, asked): unknown => {
      const updates: unknown = Reflect.get(globalThis, 'updates')
      return typeof updates === 'function' ? Reflect.apply(updates, undefined, [asked]) : null
    }, name),
  ).state
/** The application ends, so there is no answer. */
const restart = ({ electron }: Installed): Promise<unknown> =>
  electron
    .evaluate((): unknown => {
      const updates: unknown = Reflect.get(globalThis, 'updates')
      return typeof updates === 'function' ? Reflect.apply(updates, undefined, ['restart']) : null
    })
    .catch(() => undefined)
const isUntouched = ({ appImage }: Installed): void => {
  expect(readFileSync(appImage, 'utf8')).toBe(old)
  expect(statSync(appImage).mode & 0o777).toBe(0o750)
}

test('a new version is found, downloaded, installed and started, each step on request', async ({
  installed,
}) => {
  const { electron, server, appImage, marker, next } = installed
  server.offer({ content: next })
  expect(await ask(installed, 'check')).toEqual({
    kind: 'available',
    version: '1.1.0',
    notes: 'New\n\nFaster & calmer',
  })
  expect(server.seen.map(({ url }) => url.replace(/\?.*/, ''))).toEqual(['/latest-linux.yml'])
  expect(await ask(installed, 'download')).toMatchObject({ kind: 'ready', version: '1.1.0' })
  isUntouched(installed)
  expect(new Set(server.seen.map(({ staging }) => staging))).toEqual(new Set(['none']))
  const ended = electron.waitForEvent('close')
  await restart(installed)
  await ended
  expect(readFileSync(appImage, 'utf8')).toBe(next)
  expect(statSync(appImage).mode & 0o777).toBe(0o750)
  await expect.poll(() => existsSync(marker) && readFileSync(marker, 'utf8')).toContain("APPIMAGE=''")
})

test('a restart that the user cancels starts nothing, and can be requested again', async ({ installed }) => {
  const { electron, server, marker, next } = installed
  server.offer({ content: next })
  await ask(installed, 'check')
  await ask(installed, 'download')
  const followers = () => electron.evaluate(({ app }) => app.listenerCount('quit'))
  const before = await followers()
  const answer = (response: number) =>
    electron.evaluate(({ dialog }, response) => {
      const transfers: unknown = Reflect.get(globalThis, 'transfers')
      const name = { direction: 'upload', name: 'model.bin', others: 0, machineName: 'train-01' }
      if (Array.isArray(transfers)) transfers.splice(0, 1, name)
      dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false })
    }, response)
  await answer(1)
  for (let click = 0; click < 2; click += 1)
    expect(await ask(installed, 'restart')).toMatchObject({ kind: 'ready', version: '1.1.0' })
  expect(await followers()).toBe(before)
  await answer(0)
  const ended = electron.waitForEvent('close')
  await restart(installed)
  await ended
  await expect.poll(() => existsSync(marker) && readFileSync(marker, 'utf8')).toContain("APPIMAGE=''")
})

test('an older version, and the same one, are not offered', async ({ installed }) => {
  const { server, next } = installed
  for (const version of ['0.9.9', '1.0.0']) {
    server.offer({ content: next, version })
    expect(await ask(installed, 'check')).toMatchObject({ kind: 'idle' })
  }
})

test('a server without a release, or with an error, is named', async ({ installed }) => {
  const { server, next } = installed
  server.offer({ content: next, status: 404 })
  const missing = { kind: 'failed', problem: 'no-release', reason: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' }
  expect(await ask(installed, 'check')).toEqual(missing)
  server.offer({ content: next, status: 500 })
  expect(await ask(installed, 'check')).toEqual({
    kind: 'failed',
    problem: 'no-release',
    reason: 'HTTP_ERROR_500',
  })
})

test('a file with the wrong hash and a partial file leave the old version, and the next attempt works', async ({
  installed,
}) => {
  const { server, next } = installed
  server.offer({ content: next, sent: next.replace('started', 'altered') })
  await ask(installed, 'check')
  const damaged = { kind: 'failed', problem: 'damaged', reason: 'ERR_CHECKSUM_MISMATCH' }
  expect(await ask(installed, 'download')).toEqual(damaged)
  isUntouched(installed)
  server.offer({ content: next, cut: true })
  await ask(installed, 'check')
  expect(await ask(installed, 'download')).toMatchObject({ kind: 'failed', problem: 'unreachable' })
  isUntouched(installed)
  server.offer({ content: next })
  await ask(installed, 'check')
  expect(await ask(installed, 'download')).toMatchObject({ kind: 'ready' })
})
