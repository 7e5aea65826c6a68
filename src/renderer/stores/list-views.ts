import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { ListViews, ViewValue } from '#shared/bridge/list-view'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { firstAnswers } from '../platform/first-answers'
import { useAccounts } from './accounts'
import { usePerAccount, useResourceMap } from './per-account'

/** Delay from a change to storing it, so that typing and scrolling are stored once. */
const storeDelayMs = 400

/** How the user left the lists of each account, across pages, windows and restarts. */
export const useListViews = defineStore('list-views', () => {
  const { values: stored, follow } = usePerAccount<ListViews>('listViews.read', (account) =>
    bridge.call('listViews.read', { account }),
  )
  /** Fields that changed since the window opened, by account and list. They win over `stored`, which may load later. */
  const changed = useResourceMap<Record<string, ViewValue>>()
  /** Fields of `changed` that were not sent to the main process yet. */
  const unsent = useResourceMap<{ readonly account: AccountId; readonly list: string; fields: Set<string> }>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function read(account: AccountId, list: string, field: string): ViewValue | undefined {
    const now = changed.get(resourceKey(account, list))
    return now && Object.hasOwn(now, field) ? now[field] : stored.get(account)?.[list]?.[field]
  }

  /** Sends the changes now. If this fails, they last until the window closes. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [key, { account, list, fields }] of unsent) {
      const values = changed.get(key) ?? {}
      const view = Object.fromEntries(Object.entries(values).filter(([field]) => fields.has(field)))
      bridge
        .call('listViews.change', { account, list, view })
        .catch((error: unknown) => console.error('listViews.change', error))
    }
    unsent.clear()
  }

  function change(account: AccountId, list: string, field: string, value: ViewValue): void {
    const key = resourceKey(account, list)
    changed.set(key, { ...changed.get(key), [field]: value })
    const fields = unsent.get(key)?.fields ?? new Set()
    unsent.set(key, { account, list, fields: fields.add(field) })
    clearTimeout(timer)
    timer = setTimeout(flush, storeDelayMs)
  }

  let isStarted = false
  /** Runs once, although App.vue repeats a failed start. */
  function start(): void {
    if (isStarted) return
    isStarted = true
    const { lastView } = firstAnswers()
    const { selected } = useAccounts()
    if (lastView && selected) stored.set(selected.id, lastView.listViews)
    bridge.on('listViews.loaded', ({ account, views }) => stored.set(account, views))
    follow()
    // The window closes, or is hidden and may be closed without a further event.
    for (const name of ['pagehide', 'beforeunload', 'blur'] as const) addEventListener(name, flush)
    document.addEventListener('visibilitychange', flush)
  }

  return { stored, read, change, start }
})
