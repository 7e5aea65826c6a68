import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import {
  longestTitle,
  titleOf,
  type TerminalSession,
  type terminalCalls,
  type terminalEvents,
} from '#shared/bridge/terminal'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import type { Network } from '../core/network'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf, type StreamHandlersOf } from '../core/module'
import type { Sections } from '../store/settings'
import { createKeptTabs, type KeptTab } from './kept-tabs'
import { createKeptTitles } from './kept-titles'
import type { StartPty } from './pty'
import { withoutPane } from './panes'
import { createSession, type PrepareProgram, type Session, unknownSession } from './session'

export interface TerminalsDeps {
  /** The system's pseudo-terminals; null where there are none, and only shells can be opened. */
  loadPty(): Promise<StartPty | null>
  readonly clock: Clock
  readonly network: Network
  readonly documents: Sections
}

/** A terminal to open. `destination` is `user@host`. */
export interface TerminalRequest extends Pick<
  TerminalSession,
  'account' | 'machine' | 'name' | 'destination' | 'kept'
> {
  /** Absent, or of a terminal that is closed by now: a tab of its own. */
  readonly beside?: TerminalSession['beside']
  readonly prepare: PrepareProgram
}

/** Returns the program of a terminal from an earlier run of the application. */
export type ProgramOfTab = (tab: Pick<KeptTab, 'account' | 'machine' | 'kept'>) => PrepareProgram

interface Opened {
  readonly facts: KeptTab
  readonly session: Session
}

/** Terminals that one person has open at once, at most. */
const mostSessions = 50

/** The terminals inside the application. They keep running while no window is open, and end with the application. */
export function createTerminals({ loadPty, clock, network, documents }: TerminalsDeps) {
  let sessions: readonly Opened[] = []
  /** Those that are not connected for the first time yet. */
  const opening = new Map<Session, AccountId>()
  const changes = createEmitter<TerminalSession[]>()
  const list = (): TerminalSession[] =>
    sessions.map(({ facts, session }) => ({ ...facts, state: session.state() }))
  const changed = (): void => changes.emit(list())
  const titles = createKeptTitles(documents)
  const tabs = createKeptTabs(documents)
  let programOf: ProgramOfTab | undefined
  let loading: Promise<StartPty | null> | undefined
  const available = (): Promise<StartPty | null> => (loading ??= loadPty())

  function find(id: string) {
    const found = sessions.find(({ facts }) => facts.id === id)
    if (found === undefined) throw unknownSession()
    return found
  }
  /** The terminal of a kept session: another would only take it away from that one. */
  const shownIn = ({ account, machine, kept }: Pick<TerminalRequest, 'account' | 'machine' | 'kept'>) =>
    sessions.find(
      ({ facts }) => facts.account === account && facts.machine === machine && facts.kept === kept,
    )
  function close(id: string): void {
    find(id).session.close()
    sessions = withoutPane(sessions, id)
  }
  function closeForGood(id: string): void {
    close(id)
    tabs.closed(id)
  }
  const withTitle = (one: Opened, title: string | null): Opened => ({
    ...one,
    facts: { ...one.facts, title },
  })
  async function rename(id: string, text: string | null): Promise<void> {
    const { account, kept } = find(id).facts
    const title = text === null ? null : titleOf(text)
    if (title !== null && title.length > longestTitle)
      throw new FailureError({ kind: 'invalid-input', field: 'title', reason: 'too-long' })
    sessions = sessions.map((one) => (one.facts.id === id ? withTitle(one, title) : one))
    changed()
    tabs.renamed(id, title)
    if (kept !== null) await titles.change(account, kept, title)
  }
  function moveDivider(id: string, share: number): void {
    const { beside } = find(id).facts
    if (beside === null) return
    const moved = { ...beside, share }
    sessions = sessions.map((one) =>
      one.facts.id === id ? { ...one, facts: { ...one.facts, beside: moved } } : one,
    )
    changed()
    tabs.moved(id, moved)
  }

  const earlierTitle = ({ account, kept }: Pick<TerminalSession, 'account' | 'kept'>) =>
    kept === null ? null : titles.of(account, kept)
  const stopLoading = titles.onLoad(() => {
    sessions = sessions.map((one) => withTitle(one, one.facts.title ?? earlierTitle(one.facts)))
    changed()
  })

  const noPty = (): never => {
    throw new FailureError({
      kind: 'local-fault',
      action: translate('ssh.connect'),
      reason: translate('terminal.unavailable'),
    })
  }
  /** A tab of an earlier run. Nothing runs in it until the user reconnects it. */
  function restored(facts: KeptTab): Opened {
    let start: StartPty | null = null
    const prepare: PrepareProgram = async (...input) => {
      start = await available()
      if (!programOf) throw unknownSession()
      return programOf(facts)(...input)
    }
    const session = createSession({
      prepare,
      clock,
      network,
      changed,
      isKept: facts.kept !== null,
      isRestored: true,
      start: (...input) => (start ?? noPty)(...input),
    })
    return { facts, session }
  }
  /** Adds the tabs of the earlier run before the tabs that were opened since. */
  function restore(): void {
    // A kept session that was attached before the tabs could be read has one tab, not two.
    const isOpen = (tab: KeptTab): boolean =>
      tab.kept !== null && (shownIn(tab)?.facts.id ?? tab.id) !== tab.id
    for (const { id } of tabs.all().filter(isOpen)) tabs.closed(id)
    const known = new Set(sessions.map(({ facts }) => facts.id))
    const earlier = tabs.all().filter(({ id }) => !known.has(id))
    if (earlier.length === 0) return
    sessions = [...earlier.map(restored), ...sessions].slice(-mostSessions)
    changed()
  }
  restore()
  const stopRestoring = tabs.onLoad(restore)

  const handlers: HandlersOf<typeof terminalCalls> = {
    'terminal.sessions': list,
    'terminal.reconnect': async ({ session }) => {
      await find(session).session.reconnect()
      return list()
    },
    'terminal.close': ({ session }) => {
      closeForGood(session)
      changed()
      return list()
    },
    'terminal.rename': async ({ session, title }) => {
      await rename(session, title)
      return list()
    },
    'terminal.moveDivider': ({ session, share }) => {
      moveDivider(session, share)
      return list()
    },
  }
  const events: EventsOf<typeof terminalEvents> = { 'terminal.changed': changes.on }
  const streams: StreamHandlersOf<'terminal.screen'> = {
    'terminal.screen': async ({ session: id }, { messages, send, signal }) => {
      const { session } = find(id)
      const typed = async (): Promise<void> => {
        for await (const message of messages) {
          if (message.kind === 'input') await session.write(message.text)
          else session.resize(message.columns, message.rows)
        }
      }
      const printed = session.read()
      const shown = async (): Promise<void> => {
        for await (const bytes of printed) await send(bytes)
      }
      try {
        // A window that is gone waits for no program to read.
        await Promise.race([typed(), shown(), once(signal, 'abort')])
      } finally {
        void printed.return()
      }
    },
  }

  return defineModule({
    handlers,
    events,
    streams,
    /** Whether this system has pseudo-terminals, in which its ssh runs. */
    hasPty: async (): Promise<boolean> => (await available()) !== null,
    /** The new terminal's id, or that of the one that shows the same kept session. Fails as `prepare` does, with local-fault where no pseudo-terminal can be had, and with cancelled. */
    async open({ prepare, beside = null, ...request }: TerminalRequest): Promise<string> {
      const start = await available()
      const fault = (reason: string) =>
        new FailureError({ kind: 'local-fault', action: translate('ssh.connect'), reason })
      const same = request.kept === null ? undefined : shownIn(request)
      if (same) {
        await same.session.reconnect()
        return same.facts.id
      }
      if (sessions.length + opening.size >= mostSessions)
        throw fault(translate('terminal.tooMany', { count: mostSessions }))
      const isKept = request.kept !== null
      const session = createSession({ start: start ?? noPty, prepare, clock, network, isKept, changed })
      const id = randomUUID()
      opening.set(session, request.account)
      try {
        await session.open()
      } finally {
        opening.delete(session)
      }
      const isThere = beside !== null && sessions.some(({ facts }) => facts.id === beside.session)
      const facts = { id, ...request, title: earlierTitle(request), beside: isThere ? beside : null }
      sessions = [...sessions, { facts, session }]
      tabs.opened(facts)
      changed()
      return id
    },
    /** Sessions that quitting would end: those that are kept go on on their machines. */
    unfinished: (): readonly TerminalSession[] =>
      list().filter(({ state, kept }) => state.kind === 'running' && kept === null),
    /** What the person called the tab of a kept session when it was last named; null: nothing. */
    keptTitle: titles.of,
    async forgetAccount(account: AccountId): Promise<void> {
      for (const [session, owner] of opening) if (owner === account) session.close()
      for (const { facts } of sessions) if (facts.account === account) closeForGood(facts.id)
      changed()
      await titles.forgetAccount(account)
    },
    /** The line of a computer that slept is lost: what waits is tried at once. */
    wakeChanged(awake: boolean): void {
      if (!awake) return
      for (const { session } of sessions) if (session.state().kind === 'waiting') void session.reconnect()
    },
    /** Sets what runs in the tabs of an earlier run once they are reconnected. */
    runIn(program: ProgramOfTab): void {
      programOf = program
    },
    close(): void {
      stopLoading()
      stopRestoring()
      for (const session of opening.keys()) session.close()
      for (const { facts } of sessions) close(facts.id)
    },
  })
}
export type Terminals = ReturnType<typeof createTerminals>
