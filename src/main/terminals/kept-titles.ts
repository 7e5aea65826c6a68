import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { KeptName } from '#shared/bridge/terminal'
import type { Sections } from '../store/settings'

/** Titles that are kept of an account: those of sessions that have ended give way to others. */
const mostTitles = 100

/** By account, the newest last. */
const Titles = z.record(z.string(), z.array(z.object({ kept: KeptName, title: z.string() })))

/** What the person calls the tabs of kept sessions, for when they are attached again. */
export function createKeptTitles(documents: Sections) {
  const section = documents.section('terminal-titles', Titles)

  return {
    /** Null: none. */
    of: (account: AccountId, name: string): string | null =>
      section.read()[account]?.find(({ kept }) => kept === name)?.title ?? null,
    /** Null removes it. Fails with disk-full and local-fault. */
    async change(account: AccountId, kept: string, title: string | null): Promise<void> {
      await section.change((all) => {
        const others = all[account]?.filter((one) => one.kept !== kept) ?? []
        const titles = title === null ? others : [...others, { kept, title }]
        return { ...all, [account]: titles.slice(-mostTitles) }
      })
    },
    onLoad: section.onLoad,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
  }
}
