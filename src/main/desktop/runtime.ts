import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Whether only loopback accounts are admitted: the runtime is the registry-shipped fallback (docs/electron-runtime.md),
 * which carries a marker beside the program, and nobody chose it on purpose with WHEELHOUSE_ELECTRON=registry.
 */
export const isLoopbackOnly = (program: string, env: NodeJS.ProcessEnv): boolean =>
  existsSync(join(dirname(program), 'wheelhouse-registry-runtime')) && env.WHEELHOUSE_ELECTRON !== 'registry'
