import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { UpdatesOff } from '#shared/bridge/updates'

/** Where the application was started from. */
export interface Installation {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly isPackaged: boolean
  /** The application's name: a test build has its own. */
  readonly name: string
  /** The path of the running program, and of the resources beside it. */
  readonly program: string
  readonly resources: string
}

/**
 * The AppImage that the program runs from; null: from none. A program that a terminal of another AppImage started
 * inherits APPIMAGE, so the program must lie within what the AppImage has mounted (APPDIR).
 */
export const appImageOf = ({ env, program }: Pick<Installation, 'env' | 'program'>): string | null =>
  env.APPIMAGE && env.APPDIR && program.startsWith(`${env.APPDIR.replace(/\/+$/, '')}/`) ? env.APPIMAGE : null

/** Whether the program came as a file that updates replace: an AppImage, the Windows installer, the macOS application. */
function replacesItself(installation: Installation): boolean {
  const { platform, program } = installation
  if (platform === 'linux') return appImageOf(installation) !== null
  // The installer leaves its counterpart beside the program; who unpacked the zip has none.
  if (platform === 'win32')
    return existsSync(join(dirname(program), `Uninstall ${basename(program, '.exe')}.exe`))
  // Started from the disk image, or where macOS has moved it out of the way, it lies on a volume that cannot be written.
  return !program.startsWith(`${sep}Volumes${sep}`) && !program.includes('/AppTranslocation/')
}

/** Why the application does not replace itself; null: it does. `app-update.yml` names where releases are (scripts/package.mjs). */
export function updatesOff(installation: Installation): UpdatesOff | null {
  if (!installation.isPackaged) return 'checkout'
  if (installation.name === 'wheelhouse-test') return 'test-build'
  if (!replacesItself(installation)) return 'package'
  return existsSync(join(installation.resources, 'app-update.yml')) ? null : 'no-feed'
}
