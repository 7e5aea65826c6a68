import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { KeptName } from '#shared/bridge/terminal'
import type { Sections } from '../store/settings'

/** Titles stored for an account. The oldest are dropped: their sessions may have ended. */
const maxTitles = 100

const Titles = z.record(z.string(), z.array(z.object({ kept: KeptName, title: z.string() })))

/** Stores the user's titles for tabs of kept sessions, for when they are attached again. */
export function createKeptTitles(documents: Sections) {
  const section = documents.section('terminal-titles', Titles)

  return {
    of: (account: AccountId, name: string): string | null =>
      section.read()[account]?.find(({ kept }) => kept === name)?.title ?? null,
    /** Stores a title; null removes it. Fails with disk-full and local-fault. */
    async change(account: AccountId, kept: string, title: string | null): Promise<void> {
      await section.change((all) => {
        const others = all[account]?.filter((entry) => entry.kept !== kept) ?? []
        const titles = title === null ? others : [...others, { kept, title }]
        return { ...all, [account]: titles.slice(-maxTitles) }
      })
    },
    onLoad: section.onLoad,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
  }
}
