import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { type keptCalls, KeptName, type KeptSession } from '#shared/bridge/terminal'
import { defineModule } from '../core/module'
import { listCommand } from '../ssh/launcher/kept-session'
import type { Commands } from './index'

/** Sessions of a machine that are listed. */
const mostKept = 100

/** As the machine knows it. */
type Listed = Omit<KeptSession, 'title'>

/** What is kept on a machine, those of the application alone; null where there is no tool for it. Pure. */
export function parseKept(text: string): readonly Listed[] | null {
  const [tool, ...lines] = text.split('\n').map((line) => line.trim())
  if (tool !== 'tmux' && tool !== 'screen') return null
  const sessions = lines.flatMap((line): readonly Listed[] => {
    const [, ofTmux, began, clients] = /^(\S+) (\d{1,12}) (\d{1,6})$/.exec(line) ?? []
    // "4242.wheelhouse-0a1b2c3d	(Detached)", with a date between in some versions.
    const [, ofScreen, state] = /^\d+\.(\S+)\s.*\((\w+)\)$/.exec(line) ?? []
    const name = KeptName.safeParse(ofTmux ?? ofScreen)
    if (!name.success) return []
    return [
      {
        name: name.data,
        beganAt: began === undefined ? null : Number(began),
        attached: clients === undefined ? state === 'Attached' : Number(clients) > 0,
      },
    ]
  })
  // A name is one session, whatever a machine says.
  return [...new Map(sessions.map((session) => [session.name, session])).values()].slice(0, mostKept)
}

/** What is kept on a machine, as its own tools list it. `titleOf`: what the person called its tab. */
export function createKeptSessions(
  { once }: Pick<Commands, 'once'>,
  titleOf: (account: AccountId, name: string) => string | null,
) {
  const handlers: HandlersOf<typeof keptCalls> = {
    'terminal.kept': async ({ account, machine }) => {
      const { state, stdout } = await once(account, machine, listCommand)
      // Both tools end with another code where there are no sessions.
      if (state.kind !== 'exited') return { kind: 'failed', state }
      const sessions = parseKept(stdout)
      if (sessions === null) return { kind: 'no-tool' }
      return {
        kind: 'sessions',
        sessions: sessions.map((one) => ({ ...one, title: titleOf(account, one.name) })),
      }
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
