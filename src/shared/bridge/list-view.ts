import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { call } from './define'

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** One remembered value of a list, such as its sorting. The list checks it again with a schema of its own. */
export const ViewValue = z.union([Plain, z.array(z.string()), z.record(z.string(), Plain)])
export type ViewValue = z.infer<typeof ViewValue>

/** How the user left one list: filter, sorting, selection, scroll position and tab, by field. */
export const ListView = z.record(z.string(), ViewValue)
export type ListView = z.infer<typeof ListView>

/** Views of the lists of one account, by list. */
export const ListViews = z.record(z.string(), ListView)
export type ListViews = z.infer<typeof ListViews>

export const listViewCalls = {
  'listViews.read': call(OneAccount, ListViews),
  /** Replaces the fields of a view; other fields stay. Fails with local-fault. */
  'listViews.change': call(
    z.object({ account: AccountId, list: z.string().min(1).max(100), view: ListView }),
    z.void(),
  ),
} as const

export const listViewEvents = {
  /** The views of earlier runs became readable. */
  'listViews.loaded': z.object({ account: AccountId, views: ListViews }),
} as const
