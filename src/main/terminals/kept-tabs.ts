import { z } from 'zod'
import { TerminalSession } from '#shared/bridge/terminal'
import type { Sections } from '../store/settings'
import { withoutPane } from './panes'

const KeptTab = TerminalSession.omit({ state: true })
export type KeptTab = z.infer<typeof KeptTab>

export type TabChanges = Pick<KeptTab, 'title'> | Pick<KeptTab, 'beside'>

const KeptTabs = z.object({ tabs: z.array(KeptTab).default([]) })

/** Stores the open terminals of this computer, to restore their tabs after a restart. */
export function createKeptTabs(documents: Sections) {
  const section = documents.section('terminal-tabs', KeptTabs)
  /** After a failed write, the tabs stay in memory, and are written with the next change. */
  const change = (update: (tabs: readonly KeptTab[]) => readonly KeptTab[]): void => {
    section.change(({ tabs }) => ({ tabs: [...update(tabs)] })).catch(() => undefined)
  }
  return {
    all: (): readonly KeptTab[] => section.read().tabs,
    onLoad: section.onLoad,
    opened: (tab: KeptTab): void => change((tabs) => [...tabs.filter(({ id }) => id !== tab.id), tab]),
    update: (id: string, changes: TabChanges): void =>
      change((tabs) => tabs.map((tab) => (tab.id === id ? { ...tab, ...changes } : tab))),
    closed: (id: string): void =>
      change((tabs) =>
        withoutPane(
          tabs.map((facts) => ({ facts })),
          id,
        ).map(({ facts }) => facts),
      ),
  }
}
