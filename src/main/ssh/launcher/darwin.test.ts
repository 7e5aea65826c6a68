import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { darwinTerminals } from './darwin'
import type { SessionWindow } from './terminal'

const args = [
  '-o',
  'UserKnownHostsFile="/Users/José/Library/Application Support/Wheelhouse/known_hosts"',
  '-i',
  '/Users/José/My Keys/id 1',
  '-l',
  'root',
  '--',
  '10.0.0.5',
]
const session = ['/usr/bin/ssh', ...args]
const window: SessionWindow = {
  ssh: '/usr/bin/ssh',
  args,
  title: '"; do shell script "reboot',
  hold: false,
  folder: '/Users/José',
}

const terminals = darwinTerminals('/Users/José')
const named = (id: string) => {
  const terminal = terminals.find((each) => each.id === id)
  if (terminal === undefined) throw new Error(id)
  return terminal
}

describe.each(['terminal', 'iterm2'])('%s', (id) => {
  const { file, args: given } = named(id).launch('/Applications/X.app', window)
  const script = given.filter((_, index) => given[index - 1] === '-e')
  const [line = '', title, ...rest] = given.slice(script.length * 2)

  it('is driven by a script without data', () => {
    expect(file).toBe('/usr/bin/osascript')
    expect(script[0]).toBe('on run argv')
    expect(script.at(-1)).toBe('end run')
    expect(script.join('\n')).not.toMatch(/ssh|reboot|José/)
  })

  it('gets one command, which a shell splits into the arguments', () => {
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    expect(words.split('\0').slice(0, -1)).toEqual(session)
  })

  it('gets the title separately and unchanged', () => {
    expect(title).toBe(window.title)
    expect(rest).toEqual([])
  })

  it.each([
    "/Users/o'neil/key",
    '/keys/a;b',
    '/keys/$HOME',
    '/keys/`id`',
    '/keys/a\\\\b',
    '/keys/!x',
    '/keys/a\nb',
  ])('refuses the identity file %j, which the user’s shell could misread', (path) => {
    expect(() => named(id).launch('/Applications/X.app', { ...window, args: ['-i', path] })).toThrow(
      expect.objectContaining({
        failure: { kind: 'invalid-input', field: 'identityFile', reason: 'malformed' },
      }),
    )
  })
})

/** A TERM that machines know, instead of the terminal's own. */
const usualTerm = ['/usr/bin/env', 'TERM=xterm-256color']

describe('a window on macOS', () => {
  it('of Ghostty is opened by `open`', () => {
    const { file, args: given } = named('ghostty').launch('/Applications/Ghostty.app', window)
    expect([file, ...given.slice(0, 4)]).toEqual([
      '/usr/bin/open',
      '-n',
      '-a',
      '/Applications/Ghostty.app',
      '--args',
    ])
    expect(given).toContain(`--title=${window.title}`)
    expect(given.slice(-session.length - 3)).toEqual(['-e', ...usualTerm, ...session])
  })

  it.each([
    [
      'wezterm',
      'wezterm',
      ['--config', 'exit_behavior="CloseOnCleanExit"', 'start', '--always-new-process', '--'],
    ],
    ['kitty', 'kitty', [`--title=${window.title}`, ...usualTerm]],
    ['alacritty', 'alacritty', [`--title=${window.title}`, '-e', ...usualTerm]],
  ])('of %s is opened by the program in its bundle', (id, program, before) => {
    expect(named(id).launch('/Applications/My Apps/X.app', window)).toEqual({
      file: `/Applications/My Apps/X.app/Contents/MacOS/${program}`,
      args: [...before, ...session],
    })
  })

  it.each(['kitty', 'alacritty'])('of %s stays open on request', (id) => {
    expect(named(id).launch('/X.app', { ...window, hold: true }).args).toContain('--hold')
  })
})

it('every terminal is searched in both folders of applications', () => {
  expect(named('iterm2').places).toEqual(['/Applications/iTerm.app', '/Users/José/Applications/iTerm.app'])
  expect(terminals.at(-1)?.id).toBe('terminal')
})
