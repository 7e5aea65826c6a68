import type { TerminalSession } from '#shared/bridge/terminal'

/** A tab of terminals with its panes, in the order in which they are read. Its id is that of its first pane. */
export interface TerminalTab {
  readonly id: string
  readonly first: TerminalSession
  readonly panes: readonly TerminalSession[]
}

/** What was split off a pane, the first one first: it has taken half of all that the later ones share. */
export const splitOff = (sessions: readonly TerminalSession[], id: string): readonly TerminalSession[] =>
  sessions.filter(({ beside }) => beside?.session === id)

const panesOf = (
  sessions: readonly TerminalSession[],
  first: TerminalSession,
): readonly TerminalSession[] => [
  first,
  ...splitOff(sessions, first.id)
    .toReversed()
    .flatMap((pane) => panesOf(sessions, pane)),
]

export const tabsOf = (sessions: readonly TerminalSession[]): readonly TerminalTab[] =>
  sessions
    .filter(({ beside }) => beside === null)
    .map((first) => ({ id: first.id, first, panes: panesOf(sessions, first) }))
