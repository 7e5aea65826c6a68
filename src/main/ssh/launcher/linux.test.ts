import { describe, expect, it } from 'vitest'
import { linuxTerminals } from './linux'
import type { SessionWindow } from './terminal'

const args = [
  '-o',
  'UserKnownHostsFile="/home/jane doe/known_hosts"',
  '-p',
  '22',
  '-l',
  'root',
  '--',
  '10.0.0.5',
]
const session = ['/usr/bin/ssh', ...args]
/** A TERM that machines know, instead of the terminal's own. */
const usualTerm = ['/usr/bin/env', 'TERM=xterm-256color']
const window: SessionWindow = {
  ssh: '/usr/bin/ssh',
  args,
  title: 'it\'s "one"; $(two) `three`',
  hold: false,
  folder: '/home/jane doe',
}

const terminals = linuxTerminals('ubuntu:GNOME', '/home/jane doe')

const launched = (id: string, hold = false) => {
  const terminal = terminals.find((each) => each.id === id)
  return terminal?.launch(`/usr/bin/${id}`, { ...window, hold })
}

describe('a window on Linux', () => {
  it.each([
    ['xterm', ['-T', window.title, '-e']],
    ['xfce4-terminal', ['--disable-server', `--title=${window.title}`, '-x']],
    ['gnome-terminal', ['--wait', `--title=${window.title}`, '--']],
    ['ptyxis', ['--standalone', `--title=${window.title}`, '--']],
    ['konsole', ['--separate', '-p', 'tabtitle=it\'s "one"  $(two) `three`', '-e']],
    ['kitty', [`--title=${window.title}`, ...usualTerm]],
    ['alacritty', [`--title=${window.title}`, '-e', ...usualTerm]],
    ['wezterm', ['--config', 'exit_behavior="CloseOnCleanExit"', 'start', '--always-new-process', '--']],
    [
      'ghostty',
      [
        '--gtk-single-instance=false',
        '--wait-after-command=true',
        `--title=${window.title}`,
        '-e',
        ...usualTerm,
      ],
    ],
    ['foot', [`--title=${window.title}`, ...usualTerm]],
    ['terminator', ['--no-dbus', `--title=${window.title}`, '-x']],
    ['mate-terminal', ['--disable-factory', `--title=${window.title}`, '-x']],
    ['urxvt', ['-title', window.title, '-e']],
    ['x-terminal-emulator', ['-T', window.title, '-e']],
  ])('of %s gets ssh as an argument list', (id, before) => {
    expect(launched(id)).toEqual({ file: `/usr/bin/${id}`, args: [...before, ...session] })
  })

  it('stays open on request in every terminal that can hold it', () => {
    const held = terminals
      .filter((terminal) => terminal.canHold)
      .map(({ id }) => [id, launched(id, true)?.args.find((arg) => /^--?hold$/.test(arg))])
    expect(held).toEqual([
      ['kitty', '--hold'],
      ['alacritty', '--hold'],
      ['foot', '--hold'],
      ['konsole', '--hold'],
      ['xfce4-terminal', '--hold'],
      ['urxvt', '-hold'],
      ['xterm', '-hold'],
    ])
  })

  it('of Tilix gets ssh as one string, quoted for GLib', () => {
    const quoted = `'UserKnownHostsFile="/home/jane doe/known_hosts"'`
    expect(launched('tilix')?.args).toEqual([
      '--new-process',
      `--title=${window.title}`,
      '-e',
      `/usr/bin/ssh -o ${quoted} -p 22 -l root -- 10.0.0.5`,
    ])
  })

  it('of a Flatpak is opened by its exported launcher with the arguments of the native program', () => {
    const flatpaks = terminals.filter(({ name }) => name.endsWith(' (Flatpak)'))
    expect(flatpaks.map(({ places }) => places)).toEqual(
      ['app.devsuite.Ptyxis', 'com.mitchellh.ghostty'].map((id) => [
        `/home/jane doe/.local/share/flatpak/exports/bin/${id}`,
        `/var/lib/flatpak/exports/bin/${id}`,
      ]),
    )
    for (const { id, canHold, places, launch } of flatpaks) {
      const [file = ''] = places
      const native = launched(id.split('.').at(-1)?.toLowerCase() ?? '')
      expect([id, launch(file, window)]).toEqual([id, { file, args: native?.args }])
      expect(canHold).toBe(false)
    }
  })

  it('gets ssh and its arguments once, unchanged and last, in every terminal', () => {
    for (const { id, canHold } of terminals.filter((one) => one.id !== 'tilix')) {
      for (const hold of canHold ? [false, true] : [false]) {
        expect(launched(id, hold)?.args.slice(-session.length)).toEqual(session)
      }
    }
  })
})

/** Parses the argument of `-p` like Konsole's ProfileCommandParser: properties with values. */
const readByKonsole = (text: string) =>
  [...text.matchAll(/([a-zA-Z]+)=([^;]+)/g)].map(([, name, value]) => [name, value])

it.each(['x;Environment=LD_PRELOAD=/tmp/a', ';Command=/tmp/a', 'a;;b=c;', '50% of %d; %n', 'a=b'])(
  'Konsole gets %j as the title of its tab, and no other property',
  (title) => {
    const konsole = terminals.find(({ id }) => id === 'konsole')
    const args = konsole?.launch('/usr/bin/konsole', { ...window, title }).args ?? []
    expect(readByKonsole(args[args.indexOf('-p') + 1] ?? '')).toEqual([
      ['tabtitle', title.replace(/[;%]/g, ' ')],
    ])
  },
)

it('no terminal is listed twice', () => {
  const ids = terminals.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

it('the terminal of the current desktop comes first', () => {
  const first = (desktop: string) =>
    linuxTerminals(desktop, '/home/jane').find(({ id }) =>
      /^(ptyxis|gnome-terminal|konsole|xfce4-terminal|mate-terminal)$/.test(id),
    )?.id
  expect(first('ubuntu:GNOME')).toBe('ptyxis')
  expect(first('KDE')).toBe('konsole')
  expect(first('XFCE')).toBe('xfce4-terminal')
  expect(first('MATE')).toBe('mate-terminal')
  expect(first('')).toBe('ptyxis')
  expect(linuxTerminals('sway', '/home/jane').at(-1)?.id).toBe('x-terminal-emulator')
})
