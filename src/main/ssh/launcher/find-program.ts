import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { terminalEnvironment } from './environment'

/** Folders of programs that the PATH of a graphical session may lack. */
const usualFolders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/bin'],
  linux: ['/usr/local/bin', '/usr/bin', '/bin'],
}

/** Reads an environment variable. Ignores case, as Windows does; a copied environment does not. */
export const variable = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1]

const runs = async (path: string, platform: NodeJS.Platform): Promise<boolean> => {
  try {
    // Aliases of installed Windows applications (wt.exe) can be listed and started, but not opened.
    if (platform === 'win32') return !(await lstat(path)).isDirectory()
    const stats = await stat(path)
    // On macOS an application is a folder.
    if (stats.isDirectory()) return platform === 'darwin' && path.endsWith('.app')
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the absolute path of the first place that exists; a bare name is looked up on PATH. Null: none. */
export const findProgram = async (
  places: readonly string[],
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): Promise<string | null> => {
  const { isAbsolute, join, delimiter } = platform === 'win32' ? win32 : posix
  const folders = [...(variable(env, 'PATH') ?? '').split(delimiter), ...(usualFolders[platform] ?? [])]
  const searched = folders.filter((folder) => isAbsolute(folder))
  for (const place of places) {
    const candidates = isAbsolute(place) ? [place] : searched.map((folder) => join(folder, place))
    for (const candidate of candidates) if (await runs(candidate, platform)) return candidate
  }
  return null
}

/** Finds the ssh client as a terminal does; null: none. `env`: of the application or of a terminal. */
export const findSsh = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<string | null> => {
  const cleaned = terminalEnvironment(env)
  return platform === 'win32'
    ? findProgram(
        [
          win32.join(variable(cleaned, 'SystemRoot') ?? 'C:\\Windows', 'System32', 'OpenSSH', 'ssh.exe'),
          'ssh.exe',
        ],
        platform,
        cleaned,
      )
    : findProgram(['ssh'], platform, cleaned)
}

/** Limit for `ssh -G`. */
const optionsTimeoutMs = 3_000

/** Whether this ssh knows the options. Doesn't read the user's configuration. */
export const knowsOptions = (
  ssh: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> =>
  new Promise((resolve) => {
    const settings = { env, timeout: optionsTimeoutMs, windowsHide: true }
    execFile(ssh, ['-F', 'none', '-G', ...options, 'localhost'], settings, (error) => resolve(error === null))
  })

/** Whether a terminal inside runs the system's ssh. Otherwise the application's own client opens a shell. */
export const runsSystemSsh = async (
  hasPty: () => Promise<boolean>,
  { platform, env }: { readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> => (await findSsh(platform, env)) !== null && (await hasPty())
