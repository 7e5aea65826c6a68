import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { type keptCalls, KeptName, type KeptSession, type KeptSessions } from '#shared/bridge/terminal'
import { defineModule } from '../core/module'
import { cut, oneLine } from '../core/one-line'
import { listCommand } from '../ssh/launcher/kept-session'
import type { Commands, ScriptResult } from './index'

/** Sessions of a machine that are listed. */
const mostKept = 100

/** Characters of the machine's words that are shown. */
const longestWords = 300
const shortened = (text: string, most = longestWords): string => cut(oneLine(text).trim(), most)

/** As the machine knows it. */
type Listed = Omit<KeptSession, 'title'>

/** "wheelhouse-0a1b2c3d 1700000000 1": name, epoch seconds and clients. */
function ofTmux(line: string) {
  const [name, created = '', clients = ''] = line.split(' ')
  const beganAt = /^\d{1,12}$/.test(created) ? Number(created) : null
  return { name, beganAt, attached: Number(clients) > 0, state: null }
}

/**
 * "4242.wheelhouse-0a1b2c3d	(Detached)", with a date between in some versions. States of screen 4.9: Attached, Detached,
 * "Multi, attached", "Multi, detached", "Private", "Dead ???", "Remote or dead", "Unreachable", "Removed".
 */
function ofScreen(line: string) {
  const [, name, word = ''] = /^\d+\.(\S+)(?:.*\(([^()]*)\))?/.exec(line) ?? []
  const isKnown = /(?:at|de)tached$/i.test(word)
  const state = isKnown || word === '' ? null : shortened(word, 40)
  return { name, beganAt: null, attached: /\battached$/i.test(word), state }
}

const tools = {
  tmux: {
    parse: ofTmux,
    line: /^\S.* \d+ \d+$/,
    /** Words of tmux 3.3a, and of versions before 2, if the user has no server. */
    none: /^(?:no server running on .*|error connecting to .* \(No such file or directory\)|failed to connect to server(?:: (?:Connection refused|No such file or directory))?)$/,
  },
  screen: { parse: ofScreen, line: /^\d+\.\S/, none: /^No Sockets found\b/ },
} as const

interface ToolOutput {
  readonly tool: keyof typeof tools
  readonly lines: readonly string[]
}
/** Output of the script that lists sessions; undefined: no tool ran. */
function outputOf(text: string): ToolOutput | undefined {
  const [tool, ...lines] = text.split('\n').map((line) => line.trim())
  if (tool !== 'tmux' && tool !== 'screen') return undefined
  return { tool, lines: lines.filter((line) => line !== '') }
}

/**
 * Sessions of the application that a machine lists; undefined: no list. A tool may print warnings beside its list. `code`:
 * exit status of the tool; null: unknown. Pure.
 */
export function parseKept(text: string, code: number | null): readonly Listed[] | undefined {
  const output = outputOf(text)
  if (!output) return undefined
  const { parse, line, none } = tools[output.tool]
  const isEmpty = output.lines.length === 0 && code === 0
  if (!isEmpty && !output.lines.some((one) => line.test(one) || none.test(one))) return undefined
  const sessions = output.lines.flatMap((one): readonly Listed[] => {
    const found = parse(one)
    const name = KeptName.safeParse(found.name)
    return name.success ? [{ ...found, name: name.data }] : []
  })
  // A machine may list a name twice; it is one session.
  return [...new Map(sessions.map((session) => [session.name, session])).values()].slice(0, mostKept)
}

/** Why a machine lists no sessions. */
function withoutList({
  state,
  stdout,
  hasBegun,
  ...script
}: ScriptResult): Exclude<KeptSessions, { kind: 'sessions' }> {
  const { loginOutput } = script
  // What ran instead of a command that never began is the reason itself.
  const login = loginOutput === '' || state.kind === 'not-begun' ? {} : { loginOutput }
  if (state.kind === 'timed-out' && !hasBegun) return { kind: 'slow-login', seconds: state.seconds, ...login }
  if (state.kind !== 'exited') return { kind: 'failed', state, ...login }
  const [, path] = /^none\n(.*)/.exec(stdout) ?? []
  if (path !== undefined) return { kind: 'no-tool', path: shortened(path, 1_000) }
  const output = outputOf(stdout)
  const said = output ? `${output.tool}: ${output.lines.join(' ')}` : stdout
  return { kind: 'not-understood', said: shortened(said), ...login }
}

/** What is kept on a machine, as its own tools list it. `titleOf`: what the person called its tab. */
export function createKeptSessions(
  { once }: Pick<Commands, 'once'>,
  titleOf: (account: AccountId, name: string) => string | null,
) {
  const handlers: HandlersOf<typeof keptCalls> = {
    'terminal.kept': async ({ account, machine }) => {
      const script = await once(account, machine, listCommand)
      const { state, stdout } = script
      const sessions = state.kind === 'exited' ? parseKept(stdout, state.code) : undefined
      if (sessions === undefined) return withoutList(script)
      return {
        kind: 'sessions',
        sessions: sessions.map((one) => ({ ...one, title: titleOf(account, one.name) })),
      }
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
