import { z } from 'zod'
import { TerminalSession } from '#shared/bridge/terminal'
import type { Sections } from '../store/settings'
import { withoutPane } from './panes'

/** A terminal without its state, and without anything that it has printed. */
const KeptTab = TerminalSession.omit({ state: true })
export type KeptTab = z.infer<typeof KeptTab>

const KeptTabs = z.object({ tabs: z.array(KeptTab).default([]) })

/** The open terminals of this computer, so that their tabs come back after a restart. */
export function createKeptTabs(documents: Sections) {
  const section = documents.section('terminal-tabs', KeptTabs)
  /** A tab that can't be written is kept in memory, and written with the next change. */
  const change = (update: (tabs: readonly KeptTab[]) => readonly KeptTab[]): void => {
    section.change(({ tabs }) => ({ tabs: [...update(tabs)] })).catch(() => undefined)
  }
  return {
    all: (): readonly KeptTab[] => section.read().tabs,
    onLoad: section.onLoad,
    opened: (tab: KeptTab): void => change((tabs) => [...tabs.filter(({ id }) => id !== tab.id), tab]),
    renamed: (id: string, title: string | null): void =>
      change((tabs) => tabs.map((tab) => (tab.id === id ? { ...tab, title } : tab))),
    moved: (id: string, beside: KeptTab['beside']): void =>
      change((tabs) => tabs.map((tab) => (tab.id === id ? { ...tab, beside } : tab))),
    closed: (id: string): void =>
      change((tabs) =>
        withoutPane(
          tabs.map((facts) => ({ facts })),
          id,
        ).map(({ facts }) => facts),
      ),
  }
}
