// Brings what a checkout needs: the packages of the lockfile, and Electron. Runs on Node's own modules alone.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { provideRuntime } from './electron-runtime.mjs'
import { npm, runHere } from './processes.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} line */
export const say = (line) => console.error(`wheelhouse: ${line}`)

/** @param {string} folder of the checkout */
const lockfileHash = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')

/** @param {string} folder */
const stampFile = (folder) => join(folder, 'node_modules/.wheelhouse-lockfile')

/**
 * Whether node_modules is the one that this lockfile asks for.
 *
 * @param {string} folder of the checkout
 */
export const packagesInstalled = (folder) =>
  existsSync(stampFile(folder)) && readFileSync(stampFile(folder), 'utf8') === lockfileHash(folder)

const installPackages = async () => {
  if (packagesInstalled(root)) return
  say(
    existsSync(join(root, 'node_modules'))
      ? 'The lockfile has changed; installing packages'
      : 'Installing packages',
  )
  const ci = npm(['ci', '--no-audit', '--no-fund'])
  const code = await runHere(ci.program, ci.args, { cwd: root, shell: ci.shell })
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`)
  writeFileSync(stampFile(root), lockfileHash(root))
}

/** Packages and runtime, each fetched where it is missing. Throws an Error that says what a person can do. */
export const setUp = async () => {
  await installPackages()
  return provideRuntime(root, say)
}

/**
 * Runs a script's main function; what it throws is said in words, without a stack.
 *
 * @param {string} url of the script's module
 * @param {() => Promise<number>} main its exit code
 */
export const runScript = async (url, main) => {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return
  try {
    process.exitCode = await main()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

await runScript(import.meta.url, async () => {
  const { program } = await setUp()
  say(`Ready: ${program}`)
  return 0
})
