import { win32 } from 'node:path'
import { variable } from './find-program'
import { darwinTerminals } from './darwin'
import { linuxTerminals } from './linux'
import type { Terminal } from './terminal'
import { windowsTerminals } from './windows'

/** Returns the terminals that can exist on this system, best first. */
export const knownTerminals = (
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  home: string,
): readonly Terminal[] => {
  if (platform === 'darwin') return darwinTerminals(home)
  if (platform !== 'win32') {
    // Electron overrides the desktop for Chromium and stores the original name in the first variable.
    return linuxTerminals(env['ORIGINAL_XDG_CURRENT_DESKTOP'] ?? env['XDG_CURRENT_DESKTOP'] ?? '', home)
  }
  return windowsTerminals(
    variable(env, 'SystemRoot') ?? 'C:\\Windows',
    variable(env, 'LOCALAPPDATA') ?? win32.join(home, 'AppData', 'Local'),
    variable(env, 'ProgramFiles') ?? 'C:\\Program Files',
  )
}
