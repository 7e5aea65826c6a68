import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'dist/test/linux-unpacked')
const name = 'wheelhouse-test'

/** The packaged application (`npm run package -- --test-build`, run by bench/run.mjs), and its flags. */
export const packagedProgram = join(folder, name)

/** Started like a user does; root cannot use Chromium's sandbox. */
export const startFlags = (userData: string): readonly string[] => [
  `--user-data-dir=${userData}`,
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** The same program with the same fuses around another application, packaged like ours. */
export function packageYardstick(source: string): string {
  if (!existsSync(packagedProgram))
    throw new Error(`${packagedProgram} is missing: npm run package -- --test-build`)
  const copy = join(root, 'dist/test', source.replaceAll('/', '-'))
  rmSync(copy, { recursive: true, force: true })
  execFileSync('cp', ['--archive', '--link', folder, copy])
  const archive = join(copy, 'resources/app.asar')
  // A link to ours until it is removed.
  rmSync(archive)
  rmSync(`${archive}.unpacked`, { recursive: true })
  const asar = join(root, 'node_modules/@electron/asar/bin/asar.js')
  execFileSync(process.execPath, [asar, 'pack', join(root, source), archive])
  return join(copy, name)
}
