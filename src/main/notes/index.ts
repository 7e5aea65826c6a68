import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { type Note, type noteCalls, Notes } from '#shared/bridge/note'
import type { SettingsStore } from '../store/settings'

/** By account. */
const AllNotes = z.record(z.string(), Notes)

/** The note as it is kept: without space around it, each tag once, whatever its case; undefined where nothing is left. */
export function tidied({ text, tags }: Note): Note | undefined {
  const kept = new Map(tags.map((tag) => [tag.trim().toLowerCase(), tag.trim()]))
  const tidy = { text: text.trim(), tags: [...kept.values()] }
  return tidy.text === '' && tidy.tags.length === 0 ? undefined : tidy
}

/** What people wrote about their resources, in the settings of this computer. */
export function createNotes(settings: Pick<SettingsStore, 'section'>) {
  const section = settings.section('notes', AllNotes)
  const listeners = new Set<(account: AccountId, notes: Notes) => void>()
  const read = (account: AccountId): Notes => section.read()[account] ?? {}

  async function change(account: AccountId, update: (notes: Notes) => Notes): Promise<void> {
    const written = section.change((all) => ({ ...all, [account]: update(all[account] ?? {}) }))
    listeners.forEach((listener) => listener(account, read(account)))
    await written
  }

  const without = (notes: Notes, resources: readonly string[]): Notes =>
    Object.fromEntries(Object.entries(notes).filter(([id]) => !resources.includes(id)))

  const handlers: HandlersOf<typeof noteCalls> = {
    'notes.list': ({ account }) => read(account),
    'notes.change': ({ account, resource, note }) => {
      const kept = tidied(note)
      return change(account, (notes) => (kept ? { ...notes, [resource]: kept } : without(notes, [resource])))
    },
  }

  return {
    handlers,
    onChange(listener: (account: AccountId, notes: Notes) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resources that are gone for good take their notes with them. Fails with local-fault. */
    async forget(account: AccountId, resources: readonly string[]): Promise<void> {
      if (resources.some((id) => read(account)[id]))
        await change(account, (notes) => without(notes, resources))
    },
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
  }
}
