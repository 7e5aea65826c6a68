import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { output } from './command'

/** Ids of the visible windows that match, by title or class, in xdotool's words: `--name`, `--class`. */
export const windows = async (by: '--name' | '--class', pattern: string): Promise<readonly string[]> => {
  try {
    return (await output('xdotool', 'search', '--onlyvisible', by, pattern)).split('\n').filter(Boolean)
  } catch {
    return [] // xdotool fails where it finds none.
  }
}

/** Waits for a window and returns its id. `timeout`: milliseconds */
export const windowShown = async (
  by: '--name' | '--class',
  pattern: string,
  timeout = 30_000,
): Promise<string> => {
  let found: readonly string[] = []
  await expect
    .poll(async () => (found = await windows(by, pattern)).length, {
      message: `a window ${pattern}`,
      timeout,
    })
    .toBeGreaterThan(0)
  return found.at(-1) ?? ''
}

/** Brings a window to the front, and again if another window takes the focus. */
export const focus = async (window: string): Promise<void> => {
  await expect
    .poll(async () => {
      await output('xdotool', 'windowactivate', window)
      return (await output('xdotool', 'getactivewindow')).trim()
    })
    .toBe(window)
}

/** Presses keys like a keyboard, in the focused window. */
export const press = async (...keys: readonly string[]): Promise<void> => {
  await output('xdotool', 'key', '--delay', '60', ...keys)
}

export const type = async (text: string): Promise<void> => {
  await output('xdotool', 'type', '--delay', '20', text)
}

export const click = async (x: number, y: number, button: 'left' | 'right' = 'left'): Promise<void> => {
  // Without --sync, which waits 15 s for a pointer that is already in place.
  const place = [x, y].map((value) => String(Math.round(value)))
  await output('xdotool', 'mousemove', ...place, 'click', button === 'left' ? '1' : '3')
}

/** Makes xterms in this environment print their screen into a file on request, so that a test can read it. */
export const readableXterms = (folder: string) => {
  const resources = join(folder, 'xterm-resources')
  const printed = join(folder, 'xterm-screen')
  writeFileSync(
    resources,
    [
      'XTerm*faceName: DejaVu Sans Mono',
      'XTerm*faceSize: 11',
      `XTerm*printerCommand: cat > '${printed}.new' && mv '${printed}.new' '${printed}'`,
      'XTerm*printAttributes: 0',
      'XTerm*VT100.translations: #override Ctrl <Key>F12: print-everything()',
    ].join('\n') + '\n',
  )
  return {
    env: { XENVIRONMENT: resources },
    /** The text on the screen of the focused xterm. */
    async screenOf(window: string): Promise<string> {
      rmSync(printed, { force: true })
      await focus(window)
      await press('ctrl+F12')
      await expect.poll(() => existsSync(printed), { message: 'the screen of xterm' }).toBe(true)
      return readFileSync(printed, 'utf8')
    },
  }
}
