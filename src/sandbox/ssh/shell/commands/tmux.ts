import {
  failed,
  print,
  type Command,
  type Execution,
  type Invocation,
  type Output,
  type Shell,
} from '../command'
import type { TmuxSession } from '../tmux-server'

const version = '3.3a'
const defaultColumns = 80

/** Options with a value, of the supported subcommands. */
const valued = new Set(['s', 't', 'F', 'x', 'y', 'n', 'c'])

function readArguments(args: readonly string[]) {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const rest = [...args]
  while (rest[0]?.startsWith('-') && rest[0].length > 1) {
    const letters = (rest.shift() ?? '').slice(1)
    const last = letters.at(-1) ?? ''
    if (valued.has(last)) values.set(last, rest.shift() ?? '')
    for (const letter of letters) flags.add(letter)
  }
  return { flags, values, rest }
}

/** Replaces the characters that tmux uses in targets, as tmux does. */
const sessionName = (name: string): string => name.replace(/[.:]/g, '_')

function freeName(shell: Shell): string {
  for (let number = 0; ; number += 1) if (!shell.tmux.find(String(number))) return String(number)
}

const dateText = (at: number): string => {
  const [weekday = '', day = '', month = '', year = '', clock = ''] = new Date(at * 1000)
    .toUTCString()
    .replace(',', '')
    .split(' ')
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year}`
}

const listLine = (session: TmuxSession): string =>
  `${session.name}: 1 windows (created ${dateText(session.createdAt)})${session.isAttached() ? ' (attached)' : ''}`

const formatted = (format: string, session: TmuxSession): string =>
  format
    .replaceAll('#{session_name}', session.name)
    .replaceAll('#{session_created}', String(session.createdAt))
    .replaceAll('#{session_attached}', session.isAttached() ? '1' : '0')
    .replaceAll('#{session_windows}', '1')
    .replace(/#\{[^}]*\}/g, '')

/** Attaches the command's channel, which must have begun with the command: in a terminal the shell reads the input. */
const attach = (session: TmuxSession, { shell, stdin }: Invocation): Execution =>
  stdin === undefined || shell.columns() === undefined
    ? failed('open terminal failed', 'in the sandbox, kept sessions open from the machine’s Connect menu')
    : session.attach({ columns: shell.columns, input: stdin })

type Subcommand = (invocation: Invocation, options: ReturnType<typeof readArguments>) => Execution

/** Finds the session that -t names, or the newest. */
const targetOf = (shell: Shell, values: ReadonlyMap<string, string>): TmuxSession | undefined => {
  const name = values.get('t')
  return name === undefined ? shell.tmux.sessions().at(-1) : shell.tmux.find(name.replace(/^=/, ''))
}
function* noServer(): Generator<Output, number, undefined> {
  yield { to: 'stderr', data: 'no server running on /tmp/tmux-1000/default\n' }
  return 1
}
function* notFound(shell: Shell, name: string): Generator<Output, number, undefined> {
  return yield* shell.tmux.sessions().length === 0 ? noServer() : failed("can't find session", name)
}

const newSession: Subcommand = (invocation, { flags, values }) => {
  const { shell } = invocation
  const name = sessionName(values.get('s') ?? freeName(shell))
  const known = shell.tmux.find(name)
  if (known) return flags.has('A') ? attach(known, invocation) : failed('duplicate session', name)
  const session = shell.tmux.create(name, shell.columns() ?? defaultColumns)
  if (!session) return failed('create session failed', name)
  return flags.has('d') ? succeed() : attach(session, invocation)
}

function* succeed(): Generator<never, number, undefined> {
  return 0
}

function* listSessions(shell: Shell, format: string | undefined): Execution {
  const sessions = shell.tmux.sessions()
  if (sessions.length === 0) return yield* noServer()
  for (const session of sessions)
    yield print(format === undefined ? listLine(session) : formatted(format, session))
  return 0
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  'new-session': newSession,
  new: newSession,
  'attach-session': (invocation, { values }) => {
    const session = targetOf(invocation.shell, values)
    return session ? attach(session, invocation) : notFound(invocation.shell, values.get('t') ?? '')
  },
  'has-session': ({ shell }, { values }) =>
    targetOf(shell, values) ? succeed() : notFound(shell, values.get('t') ?? ''),
  'list-sessions': ({ shell }, { values }) => listSessions(shell, values.get('F')),
  'kill-session': ({ shell }, { values }) => {
    const session = targetOf(shell, values)
    if (!session) return notFound(shell, values.get('t') ?? '')
    session.kill()
    return succeed()
  },
  'kill-server': ({ shell }) => {
    if (shell.tmux.sessions().length === 0) return noServer()
    shell.tmux.close()
    return succeed()
  },
}
const aliases: Readonly<Record<string, string>> = {
  attach: 'attach-session',
  a: 'attach-session',
  has: 'has-session',
  ls: 'list-sessions',
}

/** The part of tmux that sessions need to survive a lost connection. */
export const tmux: Command = {
  name: 'tmux',
  summary: 'keep sessions (new -s NAME, attach -t NAME, ls)',
  async *run(invocation) {
    const args = [...invocation.args]
    if (args[0] === '-V') {
      yield print(`tmux ${version}`)
      return 0
    }
    while (args[0] !== undefined && /^-[2uv]$/.test(args[0])) args.shift()
    const [name = 'new-session', ...rest] = args
    const subcommand = subcommands[aliases[name] ?? name]
    if (!subcommand) return yield* failed('unknown command', name)
    return yield* subcommand(invocation, readArguments(rest))
  },
}
