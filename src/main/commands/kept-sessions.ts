import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { type keptCalls, KeptName, type KeptSession, type KeptSessions } from '#shared/bridge/terminal'
import { defineModule } from '../core/module'
import { cut, oneLine } from '../core/one-line'
import { listCommand } from '../ssh/launcher/kept-session'
import type { Commands, ScriptResult } from './index'

const maxSessions = 100
const maxOutputLength = 300
const maxPathLength = 1_000
const maxStateLength = 40
const shorten = (text: string, maxLength: number): string => cut(oneLine(text).trim(), maxLength)

type ListedSession = Omit<KeptSession, 'title'>

/** Parses "wheelhouse-0a1b2c3d 1700000000 1": name, epoch seconds and clients. */
function parseTmuxLine(line: string) {
  const [name, created = '', clients = ''] = line.split(' ')
  const beganAt = /^\d{1,12}$/.test(created) ? Number(created) : null
  return { name, beganAt, attached: Number(clients) > 0, state: null }
}

/**
 * Parses "4242.wheelhouse-0a1b2c3d	(Detached)"; some versions print a date in between. States of screen 4.9: Attached,
 * Detached, "Multi, attached", "Multi, detached", "Private", "Dead ???", "Remote or dead", "Unreachable", "Removed".
 */
function parseScreenLine(line: string) {
  const [, name, word = ''] = /^\d+\.(\S+)(?:.*\(([^()]*)\))?/.exec(line) ?? []
  const isKnown = /(?:at|de)tached$/i.test(word)
  const state = isKnown || word === '' ? null : shorten(word, maxStateLength)
  return { name, beganAt: null, attached: /\battached$/i.test(word), state }
}

const tools = {
  tmux: {
    parse: parseTmuxLine,
    line: /^\S.* \d+ \d+$/,
    /** Output of tmux 3.3a, and of versions before 2, if the user has no server. */
    none: /^(?:no server running on .*|error connecting to .* \(No such file or directory\)|failed to connect to server(?:: (?:Connection refused|No such file or directory))?)$/,
  },
  screen: { parse: parseScreenLine, line: /^\d+\.\S/, none: /^No Sockets found\b/ },
} as const

interface ToolOutput {
  readonly tool: keyof typeof tools
  readonly lines: readonly string[]
}
function toolOutput(text: string): ToolOutput | undefined {
  const [tool, ...lines] = text.split('\n').map((line) => line.trim())
  if (tool !== 'tmux' && tool !== 'screen') return undefined
  return { tool, lines: lines.filter((line) => line !== '') }
}

/**
 * Parses the sessions of the application in a machine's list; undefined: no list. A tool may print warnings too. `code`: exit
 * status of the tool; null: unknown. Pure.
 */
export function parseKept(text: string, code: number | null): readonly ListedSession[] | undefined {
  const output = toolOutput(text)
  if (!output) return undefined
  const { parse, line, none } = tools[output.tool]
  const isEmpty = output.lines.length === 0 && code === 0
  if (!isEmpty && !output.lines.some((text) => line.test(text) || none.test(text))) return undefined
  const sessions = output.lines.flatMap((text): readonly ListedSession[] => {
    const session = parse(text)
    const name = KeptName.safeParse(session.name)
    return name.success ? [{ ...session, name: name.data }] : []
  })
  // A machine may list one session twice.
  return [...new Map(sessions.map((session) => [session.name, session])).values()].slice(0, maxSessions)
}

function reasonWithoutList({
  state,
  stdout,
  hasBegun,
  ...script
}: ScriptResult): Exclude<KeptSessions, { kind: 'sessions' }> {
  const { loginOutput } = script
  // If the command never began, the reason already contains the login output.
  const login = loginOutput === '' || state.kind === 'not-begun' ? {} : { loginOutput }
  if (state.kind === 'timed-out' && !hasBegun) return { kind: 'slow-login', seconds: state.seconds, ...login }
  if (state.kind !== 'exited') return { kind: 'failed', state, ...login }
  const [, path] = /^none\n(.*)/.exec(stdout) ?? []
  if (path !== undefined) return { kind: 'no-tool', path: shorten(path, maxPathLength) }
  const output = toolOutput(stdout)
  const text = output ? `${output.tool}: ${output.lines.join(' ')}` : stdout
  return { kind: 'not-understood', said: shorten(text, maxOutputLength), ...login }
}

/** Lists the kept sessions of a machine. `titleOf` returns the user's title for the tab of a session. */
export function createKeptSessions(
  { once }: Pick<Commands, 'once'>,
  titleOf: (account: AccountId, name: string) => string | null,
) {
  const handlers: HandlersOf<typeof keptCalls> = {
    'terminal.kept': async ({ account, machine }) => {
      const script = await once(account, machine, listCommand)
      const { state, stdout } = script
      const sessions = state.kind === 'exited' ? parseKept(stdout, state.code) : undefined
      if (sessions === undefined) return reasonWithoutList(script)
      return {
        kind: 'sessions',
        sessions: sessions.map((session) => ({ ...session, title: titleOf(account, session.name) })),
      }
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
