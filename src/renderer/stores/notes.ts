import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Note, Notes } from '#shared/bridge/note'
import { bridge } from '../platform/bridge'
import { usePerAccount, useSelected } from './per-account'

const blank: Note = { text: '', tags: [] }

/** The user's notes and tags of the resources of each account. */
export const useNotes = defineStore('notes', () => {
  const { values: kept, follow } = usePerAccount<Notes>('notes.list', (account) =>
    bridge.call('notes.list', { account }),
  )
  const selected = useSelected(kept)
  /** Notes that were pushed while changes were being sent. They are older than the user's input, and wait. */
  const pushed = new Map<AccountId, Notes>()
  let pendingChanges = 0

  const of = (account: AccountId, resource: string): Note => kept.get(account)?.[resource] ?? blank

  const tagsOf = (resource: string): readonly string[] => (selected.value?.[resource] ?? blank).tags
  /** Tags and note of each resource of the selected account, as one text to search. */
  const texts = computed<ReadonlyMap<string, string>>(
    () =>
      new Map(
        Object.entries(selected.value ?? {}).map(([resource, { tags, text }]) => [
          resource,
          [...tags, text].join('\n'),
        ]),
      ),
  )

  function start(): void {
    bridge.on('notes.changed', ({ account, notes }) => {
      pushed.set(account, notes)
      applyPushed()
    })
    follow()
  }

  function applyPushed(): void {
    if (pendingChanges > 0) return
    for (const [account, notes] of pushed) kept.set(account, notes)
    pushed.clear()
  }

  async function change(account: AccountId, resource: string, note: Note): Promise<void> {
    kept.set(account, { ...kept.get(account), [resource]: note })
    pendingChanges += 1
    try {
      await bridge.call('notes.change', { account, resource, note })
    } finally {
      pendingChanges -= 1
      applyPushed()
    }
  }

  return { kept, of, tagsOf, texts, start, change }
})
