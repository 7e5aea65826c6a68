import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Note, Notes } from '#shared/bridge/note'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { usePerAccount } from './per-account'

const blank: Note = { text: '', tags: [] }

/** What the person wrote about the resources of each account. */
export const useNotes = defineStore('notes', () => {
  const accounts = useAccounts()
  const { values: kept, follow } = usePerAccount<Notes>('notes.list', (account) =>
    bridge.call('notes.list', { account }),
  )
  // What one typed shows at once. What is pushed while that is on its way is older, and waits until nothing is.
  const pushed = new Map<AccountId, Notes>()
  let onTheirWay = 0

  /** An empty note where there is none. */
  const of = (account: AccountId, resource: string): Note => kept.get(account)?.[resource] ?? blank

  /** The tags of a resource of the selected account. */
  const tagsOf = (resource: string): readonly string[] =>
    accounts.selected ? of(accounts.selected.id, resource).tags : blank.tags
  /** Tags and notes of each resource of the selected account that has any, as one text to search. */
  const texts = computed<ReadonlyMap<string, string>>(() => {
    const notes = accounts.selected ? kept.get(accounts.selected.id) : undefined
    return new Map(
      Object.entries(notes ?? {}).map(([resource, { tags, text }]) => [resource, [...tags, text].join('\n')]),
    )
  })

  /** Subscribes first, then reads. */
  function start(): void {
    bridge.on('notes.changed', ({ account, notes }) => {
      pushed.set(account, notes)
      settle()
    })
    follow()
  }

  function settle(): void {
    if (onTheirWay > 0) return
    for (const [account, notes] of pushed) kept.set(account, notes)
    pushed.clear()
  }

  async function change(account: AccountId, resource: string, note: Note): Promise<void> {
    kept.set(account, { ...kept.get(account), [resource]: note })
    onTheirWay += 1
    try {
      await bridge.call('notes.change', { account, resource, note })
    } finally {
      onTheirWay -= 1
      settle()
    }
  }

  return { kept, of, tagsOf, texts, start, change }
})
