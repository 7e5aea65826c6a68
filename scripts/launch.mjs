import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collect } from './processes.mjs'
import { librariesMissingFor } from './system-libraries.mjs'

/**
 * @typedef {{
 *   platform: NodeJS.Platform,
 *   root: boolean,
 *   setuidSandbox: boolean,
 *   userNamespaces: boolean,
 *   program: string,
 * }} Situation `setuidSandbox`: chrome-sandbox is owned by root with mode 4755
 */

/**
 * Returns the arguments that Chromium's sandbox needs, or why it cannot work. Pure.
 *
 * @param {Situation} situation
 * @returns {{ args: readonly string[], warning?: string } | { problem: string }}
 */
export const sandboxArguments = ({ platform, root, setuidSandbox, userNamespaces, program }) => {
  if (platform !== 'linux') return { args: [] }
  if (root) {
    return {
      args: ['--no-sandbox'],
      warning: 'Running as root: Electron has no sandbox then. Use an ordinary user for anything but tests.',
    }
  }
  if (setuidSandbox || userNamespaces) return { args: [] }
  const helper = join(dirname(program), 'chrome-sandbox')
  return {
    problem: `Electron's sandbox needs user namespaces, which this system forbids, or its helper: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
  }
}

/** @param {string} program */
const hasSetuidSandbox = (program) => {
  const helper = statSync(join(dirname(program), 'chrome-sandbox'), { throwIfNoEntry: false })
  return helper !== undefined && helper.uid === 0 && (helper.mode & 0o7777) === 0o4755
}

/**
 * @param {string} program Electron's
 * @returns {Promise<Situation>}
 */
const situationOf = async (program) => {
  const { platform } = process
  const root = process.getuid?.() === 0
  const asks = platform === 'linux' && !root
  return {
    platform,
    root,
    program,
    setuidSandbox: asks && hasSetuidSandbox(program),
    userNamespaces:
      asks && (await collect('unshare', ['--user', '--map-root-user', 'true'], { seconds: 5 })).code === 0,
  }
}

/**
 * Returns how to start Electron on this system.
 *
 * @param {string} program Electron's
 * @returns {Promise<{ args: readonly string[], warning?: string } | { problem: string }>}
 */
export const launchArguments = async (program) => {
  const libraries = await librariesMissingFor(program)
  return libraries
    ? { problem: `Electron cannot start: ${libraries}` }
    : sandboxArguments(await situationOf(program))
}

/**
 * Returns why no window can open. Pure.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
export const noDisplay = (env, platform) =>
  platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY
    ? 'Wheelhouse needs a display, and there is none here (neither DISPLAY nor WAYLAND_DISPLAY is set).'
    : undefined

/**
 * Returns the environment for Electron, without variables that would turn it into plain Node. Pure.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const electronEnvironment = ({ ELECTRON_RUN_AS_NODE: _, ...env }) => env
