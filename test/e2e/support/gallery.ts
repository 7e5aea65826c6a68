import vue from '@vitejs/plugin-vue'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, chromium, type Page } from '@playwright/test'
import { build, preview, type InlineConfig } from 'vite'
import { root, screenSwitches } from './application'

const folder = join(root, 'test-results/gallery')

/** Only the gallery's page: never part of the application's own bundle. */
const config: InlineConfig = {
  configFile: false,
  root: join(root, 'test/gallery'),
  // Development builds of Vue warn of wrong properties, and components contain their file name.
  mode: 'development',
  logLevel: 'error',
  plugins: [vue()],
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: 'chrome130',
    minify: false,
    reportCompressedSize: false,
  },
  preview: { host: '127.0.0.1', port: 0 },
}

/** A page in Electron, or in the browser in WHEELHOUSE_CHROMIUM. */
async function openPage(): Promise<{ page: Page; close(): Promise<void> }> {
  const chromiumSandbox = process.getuid?.() !== 0
  const browser = process.env.WHEELHOUSE_CHROMIUM
  if (browser) {
    const started = await chromium.launch({ executablePath: browser, chromiumSandbox })
    return { page: await started.newPage(), close: () => started.close() }
  }
  const executablePath = process.env.ELECTRON_EXEC_PATH
  if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
  const electron = await _electron.launch({
    executablePath,
    args: [join(root, 'test/gallery/shell'), `--user-data-dir=${folder}/user-data`, ...screenSwitches],
    chromiumSandbox,
    colorScheme: null,
  })
  return { page: await electron.firstWindow(), close: () => electron.close() }
}

/** Builds the gallery, serves it on loopback and opens it in the other tests' Electron. */
export async function openGallery(): Promise<{ page: Page; address: string; close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true })
  process.env.NODE_ENV = 'development'
  await build(config)
  const server = await preview(config)
  const { page, close } = await openPage()
  return {
    page,
    address: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await close()
      await server.close()
    },
  }
}
