import type { TerminalSession } from '#shared/bridge/terminal'

interface Pane {
  readonly facts: Pick<TerminalSession, 'id' | 'title' | 'beside'>
}

/**
 * Removes a closed pane. The last pane that was split off it replaces it: in the tab order, with its title, next to the same
 * pane, and with all further panes that were split off it.
 */
export function withoutPane<AnyPane extends Pane>(panes: readonly AnyPane[], id: string): readonly AnyPane[] {
  const heir = panes.findLast(({ facts }) => facts.beside?.session === id)
  return panes.flatMap((pane) => {
    const { beside, title } = pane.facts
    if (pane.facts.id === id) return heir ? [{ ...heir, facts: { ...heir.facts, title, beside } }] : []
    if (pane === heir) return []
    if (!heir || beside?.session !== id) return [pane]
    return [{ ...pane, facts: { ...pane.facts, beside: { ...beside, session: heir.facts.id } } }]
  })
}
