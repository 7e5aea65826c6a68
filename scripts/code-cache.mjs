// V8's code cache for the scripts of main, created by the Electron that is packaged (docs/packaging.md).
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect } from './processes.mjs'
import { root, say } from './setup.mjs'

const maker = join(root, 'scripts/code-cache')

/**
 * Runs `scripts/code-cache` in an Electron.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env added to this process's own
 */
const runMaker = async (program, args, env) => {
  const userData = mkdtempSync(join(tmpdir(), 'wheelhouse-code-cache-'))
  try {
    const flags = [`--user-data-dir=${userData}`, ...(process.platform === 'linux' ? ['--no-sandbox'] : [])]
    return await collect(program, [...args, ...flags], { env: { ...process.env, ...env } })
  } finally {
    rmSync(userData, { recursive: true, force: true })
  }
}

/**
 * Returns whether V8 accepts the code cache of each script that has one.
 *
 * @param {string} program the Electron of a checkout
 * @param {string} folder of the scripts; may be in an archive
 * @returns {Promise<string[]>} `NAME accepted` or `NAME rejected`
 */
export const checkCodeCache = async (program, folder) => {
  const { out } = await runMaker(program, [maker], { WHEELHOUSE_SCRIPTS: folder, WHEELHOUSE_CHECK: '1' })
  return out.split('\n').filter((line) => / (?:accepted|rejected)$/.test(line))
}

/** @param {string} folder of the scripts */
export const removeCodeCache = (folder) => {
  for (const name of readdirSync(folder)) if (name.endsWith('.cache')) rmSync(join(folder, name))
}

/**
 * Creates the code cache of the scripts in `folder` with a freshly unpacked Electron. Without a cache the
 * application only starts later, so a failure is printed and packaging continues.
 *
 * @param {{ program: string, resources: string, folder: string }} given `resources`: that Electron's
 */
export const makeCodeCache = async ({ program, resources, folder }) => {
  removeCodeCache(folder)
  const app = join(resources, 'app')
  cpSync(maker, app, { recursive: true })
  try {
    const { code, err } = await runMaker(program, [], { WHEELHOUSE_SCRIPTS: folder })
    if (code === 0) return
    removeCodeCache(folder)
    say(`The scripts of main get no code cache (${code}): ${err.trim()}`)
  } finally {
    rmSync(app, { recursive: true })
  }
}
