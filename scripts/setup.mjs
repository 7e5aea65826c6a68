// Installs the requirements of a checkout: the packages of the lockfile, and Electron. Uses only Node's own
// modules.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { provideRuntime } from './electron-runtime.mjs'
import { collect, npm, runHere, sayingSo } from './processes.mjs'

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
/** Added to the lockfile's hash if keytar could have been built during installation. */
const couldBuild = 'with what keytar is built with'

/**
 * Returns why packages must be installed; undefined if they are. Pure.
 *
 * @param {{ stamp: string | undefined, hash: string, hasPackages: boolean, keytarBuilt: boolean,
 * canBuildKeytar: boolean }} given `stamp`: mark of the last installation
 */
export const installReason = ({ stamp, hash, hasPackages, keytarBuilt, canBuildKeytar }) => {
  const [installed, tried] = stamp?.split('\n') ?? []
  if (installed === undefined && hasPackages)
    return 'The packages were not installed by this script; installing those of the lockfile'
  if (installed !== hash)
    return hasPackages ? 'The lockfile has changed; installing packages' : 'Installing packages'
  // npm skips it if it cannot be built, and never retries automatically.
  if (!keytarBuilt && canBuildKeytar && tried !== couldBuild) {
    return 'What keytar is built with has come since; installing packages again'
  }
  return undefined
}

/**
 * Without warnings: users cannot act on warnings about versions of Node and of deep dependencies. Errors are
 * shown.
 */
export const installArguments = ['ci', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/**
 * Returns the notice for a start without keytar; undefined with keytar. Pure.
 *
 * @param {boolean} keytarBuilt
 * @param {NodeJS.Platform} platform
 */
export const keychainNotice = (keytarBuilt, platform) => {
  if (keytarBuilt) return undefined
  return (
    'keytar could not be built, so passwords are not kept between starts. ' +
    (platform === 'linux'
      ? 'apt-get install g++ make python3 pkg-config libsecret-1-dev, then run this again.'
      : 'It needs a C++ compiler and Python.')
  )
}

/**
 * Returns the environment for compiling keytar: this Node's headers, which node-gyp would otherwise download.
 *
 * @param {string} node its program
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const withHeaders = (node, env) => {
  const prefix = dirname(dirname(node))
  const found = env.npm_config_nodedir === undefined && existsSync(join(prefix, 'include/node/node_api.h'))
  return found ? { ...env, npm_config_nodedir: prefix } : env
}

/** @param {string} folder */
const readStamp = (folder) =>
  existsSync(stampFile(folder)) ? readFileSync(stampFile(folder), 'utf8') : undefined

/**
 * Returns whether node_modules matches the lockfile.
 *
 * @param {string} folder of the checkout
 */
export const packagesInstalled = (folder) => readStamp(folder)?.split('\n')[0] === lockfileHash(folder)

const keytarBuilt = () => existsSync(join(root, 'node_modules/keytar/build/Release/keytar.node'))

const installPackages = async () => {
  const canBuildKeytar =
    process.platform === 'linux' && (await collect('pkg-config', ['--exists', 'libsecret-1'])).code === 0
  const reason = installReason({
    stamp: readStamp(root),
    hash: lockfileHash(root),
    hasPackages: existsSync(join(root, 'node_modules')),
    keytarBuilt: keytarBuilt(),
    canBuildKeytar,
  })
  if (!reason) return
  say(`${reason} (some minutes)`)
  const ci = npm(installArguments)
  const code = await sayingSo(say, 'Packages are being installed', () =>
    runHere(ci.program, ci.args, {
      cwd: root,
      shell: ci.shell,
      env: withHeaders(realpathSync(process.execPath), process.env),
    }),
  )
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`)
  writeFileSync(stampFile(root), [lockfileHash(root), ...(canBuildKeytar ? [couldBuild] : [])].join('\n'))
}

/** Installs packages and runtime if missing. Throws an Error with advice for the user. */
export const setUp = async () => {
  await installPackages()
  const notice = keychainNotice(keytarBuilt(), process.platform)
  if (notice) say(notice)
  return provideRuntime(root, say)
}

/**
 * Runs a script's main function and prints its error as text, without a stack.
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
