import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hostileStrings } from '../../../../test/fixtures/hostile-strings'
import {
  joinedForWindows,
  readArguments,
  readByCmd,
  readByConhost,
  readByPowerShell,
  readByWindowsTerminal,
  readFromPowerShell,
} from '../../../../test/fixtures/windows-command-line'
import { FailureError } from '#shared/failure'
import { isPlainPath, isPlainUser, plainHost, plainUser, windowTitle } from '../client/plain-values'
import { readCustomCommand } from './custom-command'
import { knownTerminals } from './known-terminals'
import { sshArguments } from './ssh-arguments'
import type { Launch, SessionWindow, Terminal } from './terminal'

const texts = hostileStrings('/tmp/canary')

/** Title and command of a window. `title` undefined: none. */
interface Read {
  readonly title: string | undefined
  readonly session: readonly string[]
}

const lines = new Map<string, readonly string[]>()
/** The words of a line, as a real shell reads them. */
const readByShell = (line: string): readonly string[] => {
  const read =
    lines.get(line) ??
    execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
  lines.set(line, read)
  return read
}

const folderOf = {
  linux: '/home/jane doe',
  darwin: '/Users/jane',
  win32: 'C:\\Users\\Jane Doe (Work)\\Wheelhouse',
}

const program = 'C:\\program.exe'

/** For terminals that get a list: it is the one for other words, with the title and the session in their places. */
function readList({ args }: Launch, terminal: Terminal, window: SessionWindow): Read {
  const model = terminal.launch(program, { ...window, title: 'TITLE', ssh: 'SSH', args: [] }).args
  const at = model.indexOf('SSH')
  const session = args.slice(at, args.length - (model.length - at - 1))
  const [others, expected] = [args.toSpliced(at, session.length), model.toSpliced(at, 1)]
  const titled = expected.findIndex((word) => word.endsWith('TITLE'))
  if (titled === -1) {
    expect(others).toEqual(expected)
    return { title: undefined, session }
  }
  const option = expected[titled]?.slice(0, -'TITLE'.length) ?? ''
  const title = others[titled]?.slice(option.length)
  expect(others).toEqual(expected.with(titled, `${option}${title}`))
  return { title, session }
}

const readScript = ({ args }: Launch): Read => {
  const [line = '', title, ...rest] = args.slice(args.lastIndexOf('-e') + 2)
  expect(rest).toEqual([])
  return { title, session: readByShell(line) }
}

const ofConsole = ({ file, args }: Launch): string => readByConhost(joinedForWindows([file, ...args]))

const readConsoleScript = (launch: Launch): Read => {
  const words = readArguments(ofConsole(launch))
  expect(words.slice(0, 3)).toEqual(['-NoLogo', '-NoProfile', '-Command'])
  const { skeleton, literals } = readByPowerShell(words.slice(3).join(' '))
  const [title, folder, ssh = '', ...args] = literals
  const call = ['&', ...[ssh, ...args].map(() => '?')].join(' ')
  expect(skeleton).toBe(
    `$Host.UI.RawUI.WindowTitle = ?; Set-Location -LiteralPath ?; ${call}; ` +
      'if ($LASTEXITCODE -eq 255) { [void][Console]::ReadKey($true) }',
  )
  expect(folder).toBe(folderOf.win32)
  return { title, session: [ssh, ...readFromPowerShell(args)] }
}

/** Parsers for terminals that get no plain argument list. */
const readers: Readonly<Record<string, (launch: Launch) => Read>> = {
  'linux/tilix': ({ args }) => {
    expect([args.length, args[0], args[2]]).toEqual([4, '--new-process', '-e'])
    return { title: args[1]?.slice('--title='.length), session: readByShell(args[3] ?? '') }
  },
  'darwin/iterm2': readScript,
  'darwin/terminal': readScript,
  'win32/windows-terminal': ({ file, args: given }) => {
    const {
      title,
      folder,
      program = '',
      args,
    } = readByWindowsTerminal(readArguments(joinedForWindows([file, ...given])))
    expect(folder).toBe(folderOf.win32)
    return { title, session: [program, ...args] }
  },
  'win32/pwsh': readConsoleScript,
  'win32/powershell': readConsoleScript,
  'win32/cmd': (launch) => {
    const { 1: text = '' } = /^\S+ \/d \/c (.*)$/s.exec(ofConsole(launch)) ?? []
    const [enter, session = [], wait, ...rest] = readByCmd(text)
    expect([enter, wait, rest]).toEqual([
      ['cd', '/d', folderOf.win32],
      ['if', 'errorlevel', '255', 'pause'],
      [],
    ])
    return { title: undefined, session }
  },
}
const untitled = /^(?:linux|darwin)\/wezterm$|^win32\/cmd$/

const platforms = ['linux', 'darwin', 'win32'] as const
type Platform = (typeof platforms)[number]
const sshOf = { linux: '/usr/bin/ssh', darwin: '/usr/bin/ssh', win32: 'C:\\Program Files\\OpenSSH\\ssh.exe' }

const custom = (platform: Platform): Terminal =>
  readCustomCommand('myterm --title={title} -e {command} --after', platform) ?? expect.fail('no command')

const all = platforms.flatMap((platform) =>
  [...knownTerminals(platform, {}, folderOf[platform]), custom(platform)].map(
    (terminal) => [`${platform}/${terminal.id}`, platform, terminal] as const,
  ),
)

function windowOf(
  platform: Platform,
  title: string,
  identityFile: string | null,
  user = 'root',
): SessionWindow {
  const destination = { user, host: '10.0.0.5', port: 22, identityFile }
  const knownHosts = platform === 'win32' ? 'known_hosts' : `${folderOf[platform]}/known_hosts`
  return {
    ssh: sshOf[platform],
    args: sshArguments(destination, knownHosts, 'alias', platform),
    title,
    hold: false,
    folder: folderOf[platform],
  }
}

/** Parses the arguments of a terminal as the terminal does. */
function read(name: string, platform: Platform, terminal: Terminal, window: SessionWindow): Read {
  const launch = terminal.launch(program, window)
  const reader = readers[name]
  if (reader) return reader(launch)
  if (platform === 'win32')
    expect(readArguments(joinedForWindows([launch.file, ...launch.args]))).toEqual(launch.args)
  return readList(launch, terminal, window)
}

const refusalOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}

it('there are enough hostile texts', () => {
  expect(new Set(texts).size).toBeGreaterThanOrEqual(250)
  expect(all.length).toBeGreaterThan(25)
})

it('no terminal gets a hostile address or a user that ssh refuses', () => {
  for (const text of texts) {
    expect(
      refusalOf(() => plainUser(text)),
      text.slice(0, 80),
    ).toEqual(isPlainUser(text) ? text : expect.objectContaining({ field: 'user' }))
    expect(
      refusalOf(() => plainHost(text)),
      text.slice(0, 80),
    ).toMatchObject({ field: 'host' })
  }
})

describe.each(all)('%s', (name, platform, terminal) => {
  it('runs the same ssh for any machine name, and shows the name', () => {
    for (const text of texts) {
      const title = windowTitle(text, 'root@10.0.0.5')
      const window = windowOf(platform, title, null)
      const shown = name === 'linux/konsole' ? title.replace(/[;%]/g, ' ') : title
      expect(read(name, platform, terminal, window), text.slice(0, 80)).toEqual({
        title: untitled.test(name) ? undefined : shown,
        session: [window.ssh, ...window.args],
      })
    }
  })

  it('passes a user name on unchanged or refuses it', () => {
    const usual = ['CORP\\jane', 'jane@corp.example', 'ops+gpu', 'zoë', 'a b']
    const users = [...usual, 'host#1', '~jane', 'a=b', '*', '[x]', '!', ...texts].filter(isPlainUser)
    const refusal = { kind: 'invalid-input', field: 'user', reason: 'not-a-user-name' }
    for (const user of users) {
      const window = windowOf(platform, 'train', null, user)
      const session = [window.ssh, ...window.args]
      const outcome = refusalOf(() => read(name, platform, terminal, window).session)
      const isHanded = Array.isArray(outcome) || usual.includes(user)
      expect(outcome, user.slice(0, 80)).toEqual(isHanded ? session : refusal)
    }
  })

  it('passes the path of a key on unchanged or refuses it', () => {
    const refusal = { kind: 'invalid-input', field: 'identityFile', reason: 'malformed' }
    const handed = texts.filter((text) => {
      const path = platform === 'win32' ? `C:\\keys\\${text}` : `/keys/${text}`
      if (!isPlainPath(path, platform)) return false
      const window = windowOf(platform, 'train', path)
      const outcome = refusalOf(() => read(name, platform, terminal, window).session)
      const isHanded = Array.isArray(outcome)
      expect(outcome, text.slice(0, 80)).toEqual(isHanded ? [window.ssh, ...window.args] : refusal)
      return isHanded
    })
    expect(handed.length).toBeGreaterThan(0)
  })
})
