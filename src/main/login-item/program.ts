import { sep } from 'node:path'
import { hiddenSwitch } from '../core/start-arguments'
import type { LoginProgram } from './autostart'

export interface OwnInstallation {
  readonly executable: string
  readonly env: NodeJS.ProcessEnv
  /** Folder of the application if it is not packaged, which Electron receives as its first argument. */
  readonly folder: string | null
  /** Switches of this start that a start at login needs too. */
  readonly switches: readonly string[]
}

/**
 * Returns the program that opens this installation at login. An AppImage runs from a temporary mount, so its own file is
 * used. The variables of another AppImage, which its programs inherit, are ignored.
 */
export function loginProgram({ executable, env, folder, switches }: OwnInstallation): LoginProgram {
  const { APPDIR, APPIMAGE } = env
  const isAppImage = Boolean(APPIMAGE) && APPDIR !== undefined && executable.startsWith(`${APPDIR}${sep}`)
  return {
    file: isAppImage && APPIMAGE !== undefined ? APPIMAGE : executable,
    args: [...(folder === null ? [] : [folder]), ...switches, hiddenSwitch],
  }
}
