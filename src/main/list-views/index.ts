import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { type ListView, type listViewCalls, type listViewEvents, ListViews } from '#shared/bridge/list-view'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Sections } from '../store/settings'

const AllViews = z.record(z.string(), ListViews)

export interface ListViewsDeps {
  readonly accounts: { view(): { readonly accounts: readonly { readonly id: AccountId }[] } }
  readonly documents: Sections
}

/** Stores how the user left the lists of each account, as a private document: filters and selections name resources. */
export function createListViews({ accounts, documents }: ListViewsDeps) {
  const section = documents.section('list-views', AllViews)
  const loads = createEmitter<EventPayload<'listViews.loaded'>>()
  const read = (account: AccountId): ListViews => section.read()[account] ?? {}
  section.onLoad(() => {
    for (const account of Object.keys(section.read())) loads.emit({ account, views: read(account) })
  })

  async function change(account: AccountId, list: string, view: ListView): Promise<void> {
    // The window may send its last change after the account was removed.
    if (!accounts.view().accounts.some(({ id }) => id === account)) return
    await section.change((all) => {
      const views = all[account] ?? {}
      return { ...all, [account]: { ...views, [list]: { ...views[list], ...view } } }
    })
  }

  const handlers: HandlersOf<typeof listViewCalls> = {
    'listViews.read': ({ account }) => read(account),
    'listViews.change': ({ account, list, view }) => change(account, list, view),
  }
  const events: EventsOf<typeof listViewEvents> = { 'listViews.loaded': loads.on }
  return defineModule({
    viewsOf: read,
    handlers,
    events,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
  })
}
export type ListViewsModule = ReturnType<typeof createListViews>
