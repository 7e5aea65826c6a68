import type { AccountId } from '#shared/bridge/account'
import { maxTitleLength, titleOf, type TerminalSession } from '#shared/bridge/terminal'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import type { Sections } from '../store/settings'
import { createKeptTabs, type KeptTab, type TabChanges } from './kept-tabs'
import { createKeptTitles } from './kept-titles'
import { withoutPane } from './panes'
import { type Session, unknownSession } from './session'

export const maxSessions = 50

interface Terminal {
  readonly facts: KeptTab
  readonly session: Session
}
type KeptSessionKey = Pick<KeptTab, 'account' | 'machine' | 'kept'>

/** Holds the terminals in the order of their tabs, and stores tabs and titles. `restored` makes the session of a stored tab. */
export function createTerminalList(
  documents: Sections,
  restored: (tab: KeptTab, changed: () => void) => Session,
) {
  let terminals: readonly Terminal[] = []
  const changes = createEmitter<TerminalSession[]>()
  const titles = createKeptTitles(documents)
  const tabs = createKeptTabs(documents)
  const list = (): TerminalSession[] =>
    terminals.map(({ facts, session }) => ({ ...facts, state: session.state() }))
  const changed = (): void => changes.emit(list())

  function find(id: string): Terminal {
    const terminal = terminals.find(({ facts }) => facts.id === id)
    if (terminal === undefined) throw unknownSession()
    return terminal
  }
  /** Finds the terminal of a kept session. A second terminal would detach the first. */
  const withKept = ({ account, machine, kept }: KeptSessionKey): Terminal | undefined =>
    kept === null
      ? undefined
      : terminals.find(
          ({ facts }) => facts.account === account && facts.machine === machine && facts.kept === kept,
        )
  const titleOfKept = ({ account, kept }: Pick<KeptTab, 'account' | 'kept'>): string | null =>
    kept === null ? null : titles.of(account, kept)

  function update(id: string, changes: TabChanges): void {
    terminals = terminals.map(({ facts, session }) => ({
      facts: facts.id === id ? { ...facts, ...changes } : facts,
      session,
    }))
    changed()
    tabs.update(id, changes)
  }
  function close(id: string): void {
    find(id).session.close()
    terminals = withoutPane(terminals, id)
  }
  function closeTab(id: string): void {
    close(id)
    tabs.closed(id)
  }

  const stopLoadingTitles = titles.onLoad(() => {
    terminals = terminals.map(({ facts, session }) => ({
      facts: { ...facts, title: facts.title ?? titleOfKept(facts) },
      session,
    }))
    changed()
  })
  function restore(): void {
    // A kept session that was attached before the tabs loaded already has a tab.
    const isAttached = (tab: KeptTab): boolean => (withKept(tab)?.facts.id ?? tab.id) !== tab.id
    for (const { id } of tabs.all().filter(isAttached)) tabs.closed(id)
    const open = new Set(terminals.map(({ facts }) => facts.id))
    const earlier = tabs.all().filter(({ id }) => !open.has(id))
    if (earlier.length === 0) return
    const earlierTerminals = earlier.map((facts) => ({ facts, session: restored(facts, changed) }))
    terminals = [...earlierTerminals, ...terminals].slice(-maxSessions)
    changed()
  }
  restore()
  const stopRestoring = tabs.onLoad(restore)

  return {
    list,
    all: () => terminals,
    find,
    withKept,
    onChange: changes.on,
    changed,
    titleOfKept: titles.of,
    add(request: Omit<KeptTab, 'title'>, session: Session): void {
      const { beside } = request
      const isBesideOpen = beside !== null && terminals.some(({ facts }) => facts.id === beside.session)
      const facts = { ...request, title: titleOfKept(request), beside: isBesideOpen ? beside : null }
      terminals = [...terminals, { facts, session }]
      tabs.opened(facts)
      changed()
    },
    async rename(id: string, text: string | null): Promise<void> {
      const { account, kept } = find(id).facts
      const title = text === null ? null : titleOf(text)
      if (title !== null && title.length > maxTitleLength)
        throw new FailureError({ kind: 'invalid-input', field: 'title', reason: 'too-long' })
      update(id, { title })
      if (kept !== null) await titles.change(account, kept, title)
    },
    moveDivider(id: string, share: number): void {
      const { beside } = find(id).facts
      if (beside !== null) update(id, { beside: { ...beside, share } })
    },
    closeTab(id: string): void {
      closeTab(id)
      changed()
    },
    async forgetAccount(account: AccountId): Promise<void> {
      for (const { facts } of terminals) if (facts.account === account) closeTab(facts.id)
      changed()
      await titles.forgetAccount(account)
    },
    close(): void {
      stopLoadingTitles()
      stopRestoring()
      for (const { facts } of terminals) close(facts.id)
    },
  }
}
