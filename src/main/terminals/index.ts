import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import type { TerminalSession, terminalCalls, terminalEvents } from '#shared/bridge/terminal'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import type { Network } from '../core/network'
import { defineModule, type EventsOf, type StreamHandlersOf } from '../core/module'
import { connectFault } from '../ssh/launcher/connect'
import type { Sections } from '../store/settings'
import type { KeptTab } from './kept-tabs'
import type { StartPty } from './pty'
import { createSession, type PrepareProgram, type Session, unknownSession } from './session'
import { createTerminalList, maxSessions } from './terminal-list'

export interface TerminalsDeps {
  /** Loads the system's pseudo-terminals; null: none, so that only shells of the application's own client can be opened. */
  loadPty(): Promise<StartPty | null>
  readonly clock: Clock
  readonly network: Network
  readonly documents: Sections
}

/** Terminal to open. `destination` is `user@host`. */
export interface TerminalRequest extends Pick<
  TerminalSession,
  'account' | 'machine' | 'name' | 'destination' | 'kept'
> {
  /** Terminal to split. If absent or closed, the new terminal has its own tab. */
  readonly beside?: TerminalSession['beside']
  readonly prepare: PrepareProgram
}

/** Returns the program of a terminal from an earlier run of the application. */
export type ProgramOfTab = (tab: Pick<KeptTab, 'account' | 'machine' | 'kept'>) => PrepareProgram

type ScreenStream = StreamHandlersOf<'terminal.screen'>['terminal.screen']

const noPty: StartPty = () => {
  throw connectFault(translate('terminal.unavailable'))
}

/** Connects a session with its screen in the window, until either ends or the window closes. */
async function serveScreen(
  session: Session,
  { messages, send, signal }: Parameters<ScreenStream>[1],
): Promise<void> {
  const output = session.read()
  async function writeInput(): Promise<void> {
    for await (const message of messages) {
      if (message.kind === 'input') await session.write(message.text)
      else session.resize(message.columns, message.rows)
    }
  }
  async function sendOutput(): Promise<void> {
    for await (const bytes of output) await send(bytes)
  }
  try {
    // The program may never read the input of a closed window.
    await Promise.race([writeInput(), sendOutput(), once(signal, 'abort')])
  } finally {
    void output.return()
  }
}

/** Runs the terminals inside the application. They run without an open window, and end with the application. */
export function createTerminals({ loadPty, clock, network, documents }: TerminalsDeps) {
  const opening = new Map<Session, AccountId>()
  let programOf: ProgramOfTab | undefined
  let loading: Promise<StartPty | null> | undefined
  const available = (): Promise<StartPty | null> => (loading ??= loadPty())
  const terminals = createTerminalList(documents, restored)

  /** Makes the session of a tab of an earlier run. Nothing runs in the tab until the user reconnects it. */
  function restored(tab: KeptTab, changed: () => void): Session {
    let start: StartPty | null = null
    const prepare: PrepareProgram = async (...input) => {
      start = await available()
      if (!programOf) throw unknownSession()
      return programOf(tab)(...input)
    }
    return createSession({
      prepare,
      clock,
      network,
      changed,
      isKept: tab.kept !== null,
      isRestored: true,
      start: (...input) => (start ?? noPty)(...input),
    })
  }

  /**
   * Returns the id of the new terminal, or of the terminal that shows the same kept session. Fails as `prepare` does, with
   * local-fault if there is no pseudo-terminal, and with cancelled.
   */
  async function open({ prepare, beside = null, ...request }: TerminalRequest): Promise<string> {
    const start = (await available()) ?? noPty
    const attached = terminals.withKept(request)
    if (attached) {
      await attached.session.reconnect()
      return attached.facts.id
    }
    if (terminals.all().length + opening.size >= maxSessions)
      throw connectFault(translate('terminal.tooMany', { count: maxSessions }))
    const isKept = request.kept !== null
    const session = createSession({ start, prepare, clock, network, isKept, changed: terminals.changed })
    opening.set(session, request.account)
    await session.open().finally(() => opening.delete(session))
    const id = randomUUID()
    terminals.add({ id, ...request, beside }, session)
    return id
  }

  const handlers: HandlersOf<typeof terminalCalls> = {
    'terminal.sessions': terminals.list,
    'terminal.reconnect': async ({ session }) => {
      await terminals.find(session).session.reconnect()
      return terminals.list()
    },
    'terminal.close': ({ session }) => {
      terminals.closeTab(session)
      return terminals.list()
    },
    'terminal.rename': async ({ session, title }) => {
      await terminals.rename(session, title)
      return terminals.list()
    },
    'terminal.moveDivider': ({ session, share }) => {
      terminals.moveDivider(session, share)
      return terminals.list()
    },
  }
  const events: EventsOf<typeof terminalEvents> = { 'terminal.changed': terminals.onChange }
  const streams: StreamHandlersOf<'terminal.screen'> = {
    'terminal.screen': async ({ session }, stream) => serveScreen(terminals.find(session).session, stream),
  }

  return defineModule({
    handlers,
    events,
    streams,
    hasPty: async (): Promise<boolean> => (await available()) !== null,
    open,
    /** Lists the sessions that quitting would end. Kept sessions continue on their machines. */
    unfinished: (): readonly TerminalSession[] =>
      terminals.list().filter(({ state, kept }) => state.kind === 'running' && kept === null),
    keptTitle: terminals.titleOfKept,
    async forgetAccount(account: AccountId): Promise<void> {
      for (const [session, owner] of opening) if (owner === account) session.close()
      await terminals.forgetAccount(account)
    },
    /** Retries waiting sessions when the computer wakes up: its connections are lost. */
    wakeChanged(awake: boolean): void {
      if (!awake) return
      for (const { session } of terminals.all())
        if (session.state().kind === 'waiting') void session.reconnect()
    },
    runIn(program: ProgramOfTab): void {
      programOf = program
    },
    close(): void {
      for (const session of opening.keys()) session.close()
      terminals.close()
    },
  })
}
export type Terminals = ReturnType<typeof createTerminals>
