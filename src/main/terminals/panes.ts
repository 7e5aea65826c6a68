import type { TerminalSession } from '#shared/bridge/terminal'

interface Pane {
  readonly facts: Pick<TerminalSession, 'id' | 'title' | 'beside'>
}

/**
 * What is left where one is closed. What was split off it last takes its place: its side of the pane that it was split
 * off itself, the other panes that were split off it, its tab's name and its place among the tabs.
 */
export function withoutPane<One extends Pane>(panes: readonly One[], id: string): readonly One[] {
  const heir = panes.findLast(({ facts }) => facts.beside?.session === id)
  return panes.flatMap((one) => {
    const { beside } = one.facts
    if (one.facts.id === id)
      return heir ? [{ ...heir, facts: { ...heir.facts, title: one.facts.title, beside } }] : []
    if (one === heir) return []
    if (!heir || beside?.session !== id) return [one]
    return [{ ...one, facts: { ...one.facts, beside: { ...beside, session: heir.facts.id } } }]
  })
}
