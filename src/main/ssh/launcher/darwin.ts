import { posix } from 'node:path'
import { posixQuoted } from './quoting'
import { checkPosixOptions } from './allowed-options'
import { type Launch, sessionOf, type SessionWindow, type Terminal, usualTermSession } from './terminal'

const { join } = posix

const bundles = (home: string, app: string): readonly string[] => [
  join('/Applications', app),
  join(home, 'Applications', app),
]

/** An AppleScript. Its data are arguments, never part of the script. */
const appleScript = (lines: readonly string[], data: readonly string[]): Launch => ({
  file: '/usr/bin/osascript',
  args: ['on run argv', ...lines, 'end run'].flatMap((line) => ['-e', line]).concat(data),
})

/** One line for the user's shell, of allowed characters. The shell stays open after ssh has ended. */
const shellLine = (window: SessionWindow): string => {
  checkPosixOptions(window)
  return sessionOf(window).map(posixQuoted).join(' ')
}

const terminal = (
  id: string,
  name: string,
  places: readonly string[],
  kind: 'holds' | 'stays' | 'hands-on',
  launch: Terminal['launch'],
): Terminal => ({
  id,
  name,
  places,
  launch,
  canHold: kind === 'holds',
  staysWithWindow: kind !== 'hands-on',
})

/** Terminals of macOS: installed ones before Terminal, which every Mac has. */
export const darwinTerminals = (home: string): readonly Terminal[] => [
  terminal('iterm2', 'iTerm2', bundles(home, 'iTerm.app'), 'hands-on', (_bundle, window) =>
    appleScript(
      [
        'tell application "iTerm"',
        'activate',
        'set opened to (create window with default profile)',
        'tell current session of opened',
        'set name to (item 2 of argv)',
        'write text (item 1 of argv)',
        'end tell',
        'end tell',
      ],
      [shellLine(window), window.title],
    ),
  ),
  // The program can't open a window on macOS: `open` must start the application. It waits for a key at the end.
  terminal('ghostty', 'Ghostty', bundles(home, 'Ghostty.app'), 'hands-on', (bundle, window) => ({
    file: '/usr/bin/open',
    args: [
      '-n',
      '-a',
      bundle,
      '--args',
      '--wait-after-command=true',
      '--quit-after-last-window-closed=true',
      `--title=${window.title}`,
      '-e',
      ...usualTermSession(window),
    ],
  })),
  terminal('wezterm', 'WezTerm', bundles(home, 'WezTerm.app'), 'stays', (bundle, window) => ({
    file: join(bundle, 'Contents/MacOS/wezterm'),
    args: [
      '--config',
      'exit_behavior="CloseOnCleanExit"',
      'start',
      '--always-new-process',
      '--',
      window.ssh,
      ...window.args,
    ],
  })),
  terminal('kitty', 'kitty', bundles(home, 'kitty.app'), 'holds', (bundle, window) => ({
    file: join(bundle, 'Contents/MacOS/kitty'),
    args: [`--title=${window.title}`, ...(window.hold ? ['--hold'] : []), ...usualTermSession(window)],
  })),
  terminal('alacritty', 'Alacritty', bundles(home, 'Alacritty.app'), 'holds', (bundle, window) => ({
    file: join(bundle, 'Contents/MacOS/alacritty'),
    args: [`--title=${window.title}`, ...(window.hold ? ['--hold'] : []), '-e', ...usualTermSession(window)],
  })),
  terminal(
    'terminal',
    'Terminal',
    ['/System/Applications/Utilities/Terminal.app', '/Applications/Utilities/Terminal.app'],
    'hands-on',
    (_bundle, window) =>
      appleScript(
        [
          'tell application "Terminal"',
          'activate',
          'set opened to do script (item 1 of argv)',
          'set custom title of opened to (item 2 of argv)',
          'end tell',
        ],
        [shellLine(window), window.title],
      ),
  ),
]
