import type { SessionWindow, Terminal } from './terminal'

type Arguments = (window: SessionWindow) => readonly string[]

const command = (window: SessionWindow): readonly string[] => [window.ssh, ...window.args]
const when = (condition: boolean, ...args: readonly string[]): readonly string[] => (condition ? args : [])

/** A terminal whose program ends when its window closes, and which can keep a window whose command has ended. */
const holding = (id: string, name: string, programs: readonly string[], args: Arguments): Terminal => ({
  id,
  name,
  places: programs,
  canHold: true,
  launch: (program, window) => ({ file: program, args: args(window) }),
})

/** A terminal that keeps a failed session's window by itself or not at all. */
const plain = (id: string, name: string, programs: readonly string[], args: Arguments): Terminal => ({
  ...holding(id, name, programs, args),
  canHold: false,
})

/** Terminals that people install by choice stand before those that come with a desktop. Arguments by their manuals. */
export const linuxTerminals: readonly Terminal[] = [
  // After the command has ended it waits for a key by itself; a running instance would ignore what we ask for.
  plain('ghostty', 'Ghostty', ['ghostty'], (window) => [
    '--gtk-single-instance=false',
    '--wait-after-command=true',
    `--title=${window.title}`,
    '-e',
    ...command(window),
  ]),
  holding('kitty', 'kitty', ['kitty'], (window) => [
    `--title=${window.title}`,
    ...when(window.hold, '--hold'),
    ...command(window),
  ]),
  // Keeps the window by itself when ssh ends with an error. It has no option for the title.
  plain('wezterm', 'WezTerm', ['wezterm'], (window) => [
    '--config',
    'exit_behavior="CloseOnCleanExit"',
    'start',
    '--always-new-process',
    '--',
    ...command(window),
  ]),
  holding('alacritty', 'Alacritty', ['alacritty'], (window) => [
    `--title=${window.title}`,
    ...when(window.hold, '--hold'),
    '-e',
    ...command(window),
  ]),
  {
    ...holding('foot', 'foot', ['foot'], (window) => [
      `--title=${window.title}`,
      ...when(window.hold, '--hold'),
      ...command(window),
    ]),
    needs: 'WAYLAND_DISPLAY',
  },
  plain('terminator', 'Terminator', ['terminator'], (window) => [
    '--no-dbus',
    `--title=${window.title}`,
    '-x',
    ...command(window),
  ]),
  plain('ptyxis', 'Ptyxis', ['ptyxis'], (window) => [
    '--new-window',
    `--title=${window.title}`,
    '--',
    ...command(window),
  ]),
  plain('gnome-terminal', 'GNOME Terminal', ['gnome-terminal'], (window) => [
    '--wait',
    `--title=${window.title}`,
    '--',
    ...command(window),
  ]),
  holding('konsole', 'Konsole', ['konsole'], (window) => [
    '--separate',
    ...when(window.hold, '--hold'),
    '-p',
    `tabtitle=${window.title}`,
    '-e',
    ...command(window),
  ]),
  // By itself it would hand the command to a running instance and end at once.
  holding('xfce4-terminal', 'Xfce Terminal', ['xfce4-terminal'], (window) => [
    '--disable-server',
    `--title=${window.title}`,
    ...when(window.hold, '--hold'),
    '-x',
    ...command(window),
  ]),
  plain('mate-terminal', 'MATE Terminal', ['mate-terminal'], (window) => [
    '--disable-factory',
    `--title=${window.title}`,
    '-x',
    ...command(window),
  ]),
  holding('urxvt', 'rxvt-unicode', ['urxvt'], (window) => [
    ...when(window.hold, '-hold'),
    '-title',
    window.title,
    '-e',
    ...command(window),
  ]),
  holding('xterm', 'xterm', ['xterm'], (window) => [
    ...when(window.hold, '-hold'),
    '-T',
    window.title,
    '-e',
    ...command(window),
  ]),
  // What the administrator chose on Debian and its kin; policy §11.8.3 promises -T and -e.
  plain('x-terminal-emulator', 'System terminal', ['x-terminal-emulator'], (window) => [
    '-T',
    window.title,
    '-e',
    ...command(window),
  ]),
]
