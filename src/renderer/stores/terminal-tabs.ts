import type { TerminalSession } from '#shared/bridge/terminal'

/** A tab with its panes in reading order. Its id is the first pane's. */
export interface TerminalTab {
  readonly id: string
  readonly first: TerminalSession
  readonly panes: readonly TerminalSession[]
}

/** Returns the panes that were split off a pane, oldest first. Each took half of the space that was left. */
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
