import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Start {
  readonly env: NodeJS.ProcessEnv
  readonly packaged: boolean
}

/**
 * Whether only loopback accounts are allowed, because the runtime is the registry's fallback (docs/electron-runtime.md).
 * A marker file next to the program identifies it. WHEELHOUSE_ELECTRON=registry allows all accounts in a checkout.
 */
export const isLoopbackOnly = (program: string, { env, packaged }: Start): boolean =>
  existsSync(join(dirname(program), 'wheelhouse-registry-runtime')) &&
  (packaged || env.WHEELHOUSE_ELECTRON !== 'registry')

/**
 * Whether Chromium lost its sandbox unintentionally: an AppImage starts its program with --no-sandbox if the system
 * refuses user namespaces. Root never has a sandbox and is warned elsewhere.
 */
export const lostSandbox = (env: NodeJS.ProcessEnv, noSandbox: boolean, user: number | undefined): boolean =>
  noSandbox && env.APPIMAGE !== undefined && user !== 0

/** Whether the folder of the application's data is writable. Chromium ends silently if it is not. */
export function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
