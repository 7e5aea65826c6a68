import { posix } from 'node:path'
import { posixQuoted } from './quoting'
import { sessionOf, type SessionWindow, type Terminal, usualTermSession } from './terminal'

type Arguments = (window: SessionWindow) => readonly string[]

const when = (condition: boolean, ...args: readonly string[]): readonly string[] => (condition ? args : [])

/** Konsole reads `name=value;name=value` and expands `%` in a tab's title. */
const konsoleValue = (text: string): string => text.replace(/[;%]/g, ' ')

/** A terminal that runs as long as its window and can keep the window after its command. Its id is the program's name. */
const holding = (id: string, name: string, args: Arguments): Terminal => ({
  id,
  name,
  places: [id],
  canHold: true,
  staysWithWindow: true,
  launch: (program, window) => ({ file: program, args: args(window) }),
})

/** A terminal without an option to keep its window. */
const plain = (id: string, name: string, args: Arguments): Terminal => ({
  ...holding(id, name, args),
  canHold: false,
})

// The arguments follow each program's manual.

// Waits for a key after the command has ended. A running instance would ignore the options.
const ghostty: Arguments = (window) => [
  '--gtk-single-instance=false',
  '--wait-after-command=true',
  `--title=${window.title}`,
  '-e',
  ...usualTermSession(window),
]

const ptyxis: Arguments = (window) => ['--standalone', `--title=${window.title}`, '--', ...sessionOf(window)]

/** Terminals that users install themselves. */
const installed: readonly Terminal[] = [
  plain('ghostty', 'Ghostty', ghostty),
  holding('kitty', 'kitty', (window) => [
    `--title=${window.title}`,
    ...when(window.hold, '--hold'),
    ...usualTermSession(window),
  ]),
  // Keeps the window without an option if ssh ends with an error. Has no option for the title.
  plain('wezterm', 'WezTerm', (window) => [
    '--config',
    'exit_behavior="CloseOnCleanExit"',
    'start',
    '--always-new-process',
    '--',
    ...sessionOf(window),
  ]),
  holding('alacritty', 'Alacritty', (window) => [
    `--title=${window.title}`,
    ...when(window.hold, '--hold'),
    '-e',
    ...usualTermSession(window),
  ]),
  {
    ...holding('foot', 'foot', (window) => [
      `--title=${window.title}`,
      ...when(window.hold, '--hold'),
      ...usualTermSession(window),
    ]),
    needs: 'WAYLAND_DISPLAY',
  },
  plain('terminator', 'Terminator', (window) => [
    '--no-dbus',
    `--title=${window.title}`,
    '-x',
    ...sessionOf(window),
  ]),
  // Reads one string with the quoting of a shell, but without its expansions (g_shell_parse_argv).
  plain('tilix', 'Tilix', (window) => [
    '--new-process',
    `--title=${window.title}`,
    '-e',
    sessionOf(window).map(posixQuoted).join(' '),
  ]),
]

/** Terminals that come with a desktop, by its name in XDG_CURRENT_DESKTOP. */
const ofDesktops: Readonly<Record<string, readonly Terminal[]>> = {
  GNOME: [
    plain('ptyxis', 'Ptyxis', ptyxis),
    plain('gnome-terminal', 'GNOME Terminal', (window) => [
      '--wait',
      `--title=${window.title}`,
      '--',
      ...sessionOf(window),
    ]),
  ],
  KDE: [
    holding('konsole', 'Konsole', (window) => [
      '--separate',
      ...when(window.hold, '--hold'),
      '-p',
      `tabtitle=${konsoleValue(window.title)}`,
      '-e',
      ...sessionOf(window),
    ]),
  ],
  XFCE: [
    // Without the option it would hand the command to a running instance and end at once.
    holding('xfce4-terminal', 'Xfce Terminal', (window) => [
      '--disable-server',
      `--title=${window.title}`,
      ...when(window.hold, '--hold'),
      '-x',
      ...sessionOf(window),
    ]),
  ],
  MATE: [
    plain('mate-terminal', 'MATE Terminal', (window) => [
      '--disable-factory',
      `--title=${window.title}`,
      '-x',
      ...sessionOf(window),
    ]),
  ],
}

/** Flatpaks that run their command outside their container, without their own environment. */
const flatpaks = (home: string): readonly Terminal[] => {
  const flatpak = (id: string, name: string, args: Arguments): Terminal => ({
    ...plain(id, `${name} (Flatpak)`, args),
    places: [posix.join(home, '.local/share'), '/var/lib'].map((data) =>
      posix.join(data, 'flatpak/exports/bin', id),
    ),
  })
  return [
    flatpak('app.devsuite.Ptyxis', 'Ptyxis', ptyxis),
    flatpak('com.mitchellh.ghostty', 'Ghostty', ghostty),
  ]
}

const ofAnySystem: readonly Terminal[] = [
  holding('urxvt', 'rxvt-unicode', (window) => [
    ...when(window.hold, '-hold'),
    '-title',
    window.title,
    '-e',
    ...sessionOf(window),
  ]),
  holding('xterm', 'xterm', (window) => [
    ...when(window.hold, '-hold'),
    '-T',
    window.title,
    '-e',
    ...sessionOf(window),
  ]),
  // The administrator's choice on Debian and its derivatives. Policy §11.8.3 guarantees only -T and -e.
  {
    ...plain('x-terminal-emulator', 'System terminal', (window) => [
      '-T',
      window.title,
      '-e',
      ...sessionOf(window),
    ]),
    staysWithWindow: false,
  },
]

/** Returns the terminals of Linux, best first. `desktop`: XDG_CURRENT_DESKTOP, a list of names such as `ubuntu:GNOME`. */
export const linuxTerminals = (desktop: string, home: string): readonly Terminal[] => {
  const isOwn = (name: string): boolean => desktop.split(':').includes(name)
  const names = Object.keys(ofDesktops)
  const sorted = [...names.filter(isOwn), ...names.filter((name) => !isOwn(name))]
  const desktops = sorted.flatMap((name) => ofDesktops[name] ?? [])
  return [...installed, ...desktops, ...flatpaks(home), ...ofAnySystem]
}
