import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { build } from 'vite'
import { z } from 'zod'
import { creditWindowBytes } from '../../src/shared/bridge/stream-frame'
import { expect, test as base } from './fixtures'
import { root, screenSwitches } from './support/application'

// Real Electron, the application's own preload and both its ends of a stream; the streams are the test's
// (stream-app/).

/** Bytes by which a process may grow while 100 MB pass through it twice. */
const maxGrowth = 100 * 1024 * 1024

const folder = join(root, 'test-results/stream-app')

const bundle = (entry: string, format: 'cjs' | 'iife', file: string) =>
  build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: format === 'cjs' ? 'node20.18' : 'chrome130',
      rollupOptions: {
        input: join(import.meta.dirname, 'stream-app', entry),
        external: ['electron', /^node:/],
        output: { format, entryFileNames: file },
      },
    },
  })

const test = base.extend<
  { readonly electron: ElectronApplication; readonly window: Page },
  { readonly bundled: string }
>({
  bundled: [
    async ({}, use) => {
      await bundle('main.ts', 'cjs', 'main.cjs')
      await bundle('page.ts', 'iife', 'page.js')
      copyFileSync(join(root, 'out/preload/index.cjs'), join(folder, 'preload.cjs'))
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'streams', version: '1.0.0', main: 'main.cjs' }),
      )
      await use(folder)
    },
    { scope: 'worker' },
  ],
  electron: async ({ place, bundled }, use) => {
    const executablePath = process.env.ELECTRON_EXEC_PATH
    if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
    const electron = await _electron.launch({
      executablePath,
      args: [bundled, `--user-data-dir=${place.userData}`, ...screenSwitches],
      chromiumSandbox: process.getuid?.() !== 0,
    })
    await use(electron)
    await electron.close()
  },
  window: async ({ electron }, use) => {
    const window = await electron.firstWindow()
    await window.waitForFunction('window.streams !== undefined')
    await use(window)
  },
})

// All tests share one bundle.
test.describe.configure({ mode: 'default' })

const Report = z.object({
  checksum: z.int(),
  received: z.int(),
  highWaterUp: z.int(),
  highWaterDown: z.int(),
  memory: z.int(),
  aborted: z.array(z.string()),
})
const report = async (electron: ElectronApplication) =>
  Report.parse(await electron.evaluate((): unknown => Reflect.get(globalThis, 'streamReport')))
const residentBytes = (electron: ElectronApplication) => electron.evaluate(() => process.memoryUsage().rss)

test('100 MB pass through a stream and back, in order and in bounded memory', async ({
  electron,
  window,
}) => {
  const before = await residentBytes(electron)
  const [chunks, chunkBytes] = [500, 200_000]
  const echoed = z
    .object({ sent: z.int(), received: z.int(), count: z.int(), failure: z.null() })
    .parse(await window.evaluate(`window.streams.echo(${String(chunks)}, ${String(chunkBytes)})`))
  const { received, checksum, highWaterUp, highWaterDown, memory } = await report(electron)
  expect(received).toBe(chunks * chunkBytes)
  expect(echoed.count).toBe(chunks)
  expect([checksum, echoed.received]).toEqual([echoed.sent, echoed.sent])
  for (const highWater of [highWaterUp, highWaterDown]) {
    expect(highWater).toBeGreaterThan(chunkBytes)
    expect(highWater).toBeLessThanOrEqual(creditWindowBytes)
  }
  expect(memory - before).toBeLessThan(maxGrowth)
})

test('a stream that the page cancels, or that ends with its page, is aborted in the main process', async ({
  electron,
  window,
}) => {
  expect(await window.evaluate('window.streams.cancelAfter(10_000_000)')).toEqual({ kind: 'cancelled' })
  await expect.poll(async () => (await report(electron)).aborted).toEqual(['test.endless'])
  const { highWaterDown } = await report(electron)
  expect(highWaterDown).toBeLessThanOrEqual(creditWindowBytes)

  expect(await window.evaluate('window.streams.stay()')).toBe(false)
  await window.reload()
  await expect.poll(async () => (await report(electron)).aborted).toEqual(['test.endless', 'test.echo'])
})

test('an untrusted window gets no stream', async ({ electron, window: _ }) => {
  const opened = electron.waitForEvent('window')
  await electron.evaluate(
    ({ BrowserWindow }, preload) => {
      const stranger = new BrowserWindow({
        webPreferences: { preload, sandbox: true, contextIsolation: true },
      })
      void stranger.loadURL('app://streams/index.html')
    },
    join(root, 'out/preload/index.cjs'),
  )
  const stranger = await opened
  await stranger.waitForFunction('window.streams !== undefined')
  expect(await stranger.evaluate('window.streams.refused()')).toEqual({ kind: 'cancelled' })
  expect((await report(electron)).received).toBe(0)
})
