import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { root } from '../../test/e2e/support/application'

/** Bundles one file of a small application like the application's own; `iife` for a page. */
async function bundle(entry: string, folder: string, file: string): Promise<void> {
  const format = file.endsWith('.cjs') ? 'cjs' : 'iife'
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: true,
      target: format === 'cjs' ? 'node20.18' : 'chrome130',
      rollupOptions: {
        input: entry,
        external: ['electron', /^node:/],
        output: { format, entryFileNames: file },
      },
    },
  })
}

/**
 * Runs a small application of our modules in the real Electron. `files`: the bundled file of each source, by its path
 * from the checkout's root. main.cjs prints one line and quits. Returns that line.
 */
export async function runElectronApp(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  try {
    for (const [source, file] of Object.entries(files)) await bundle(join(root, source), folder, file)
    const manifest = { name: 'wheelhouse-bench', version: '0.0.0', main: 'main.cjs' }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const userData = join(folder, 'user-data')
    mkdirSync(userData)
    const flags = [`--user-data-dir=${userData}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
    const program = process.env.ELECTRON_EXEC_PATH ?? 'electron'
    const { stdout } = await promisify(execFile)(program, [folder, ...flags, ...args], { timeout: 600_000 })
    const line = stdout.split('\n').find((one) => one.startsWith('{'))
    if (line === undefined) throw new Error(`${program} printed no result: ${stdout}`)
    return line
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
