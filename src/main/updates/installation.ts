import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { UpdatesOff } from '#shared/bridge/updates'

export interface Installation {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly isPackaged: boolean
  /** The application's name: a test build has its own. */
  readonly name: string
  readonly program: string
  readonly resources: string
}

/**
 * Returns the AppImage that the program runs from, or null. APPIMAGE is inherited from a terminal in another AppImage, so
 * the program must be inside the mount (APPDIR).
 */
export const appImageOf = ({ env, program }: Pick<Installation, 'env' | 'program'>): string | null =>
  env.APPIMAGE && env.APPDIR && program.startsWith(`${env.APPDIR.replace(/\/+$/, '')}/`) ? env.APPIMAGE : null

/** Whether updates can replace the installation: an AppImage, the Windows installer, or the macOS application. */
function replacesItself(installation: Installation): boolean {
  const { platform, program } = installation
  if (platform === 'linux') return appImageOf(installation) !== null
  // The installer puts its uninstaller next to the program; the zip has none.
  if (platform === 'win32')
    return existsSync(join(dirname(program), `Uninstall ${basename(program, '.exe')}.exe`))
  // A disk image and macOS App Translocation run the program from a read-only volume.
  return !program.startsWith(`${sep}Volumes${sep}`) && !program.includes('/AppTranslocation/')
}

/** Returns why the application does not replace itself; null if it does. `app-update.yml` names the feed (scripts/package.mjs). */
export function updatesOff(installation: Installation): UpdatesOff | null {
  if (!installation.isPackaged) return 'checkout'
  if (installation.name === 'wheelhouse-test') return 'test-build'
  if (!replacesItself(installation)) return 'package'
  return existsSync(join(installation.resources, 'app-update.yml')) ? null : 'no-feed'
}
