import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { type Note, type noteCalls, type noteEvents, Notes } from '#shared/bridge/note'
import { createEmitter } from '../core/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'

/** By account. */
const AllNotes = z.record(z.string(), Notes)

/** The note as it is kept: without space around it, each tag once, whatever its case; undefined where nothing is left. */
function tidied({ text, tags }: Note): Note | undefined {
  const kept = new Map(tags.map((tag) => [tag.trim().toLowerCase(), tag.trim()]))
  const tidy = { text: text.trim(), tags: [...kept.values()] }
  return tidy.text === '' && tidy.tags.length === 0 ? undefined : tidy
}

export interface NotesDeps {
  readonly documents: Sections
  readonly fleet: Pick<Fleet, 'onGone'>
  readonly report: ReportError
}

/** What people wrote about their resources, in the private documents of this computer. */
export function createNotes({ documents, fleet, report }: NotesDeps) {
  const section = documents.section('notes', AllNotes)
  const changes = createEmitter<EventPayload<'notes.changed'>>()
  const list = (account: AccountId): Notes => section.read()[account] ?? {}

  async function change(account: AccountId, update: (notes: Notes) => Notes): Promise<void> {
    const written = section.change((all) => ({ ...all, [account]: update(all[account] ?? {}) }))
    changes.emit({ account, notes: list(account) })
    await written
  }

  section.onLoad(() => {
    for (const [account, notes] of Object.entries(section.read())) changes.emit({ account, notes })
  })

  const without = (notes: Notes, resources: readonly string[]): Notes =>
    Object.fromEntries(Object.entries(notes).filter(([id]) => !resources.includes(id)))

  /** Resources that are gone for good take their notes with them. Fails with local-fault. */
  async function forget(account: AccountId, resources: readonly string[]): Promise<void> {
    const before = section.read()
    const written = section.change((all) => {
      const notes = all[account] ?? {}
      return resources.some((id) => notes[id]) ? { ...all, [account]: without(notes, resources) } : all
    })
    if (section.read() !== before) changes.emit({ account, notes: list(account) })
    await written
  }

  const unsubscribe = fleet.onGone(({ account, machines }) => {
    const ids = machines.map(({ id }) => id)
    forget(account, ids).catch((error: unknown) => report('notes.forget', error))
  })

  const handlers: HandlersOf<typeof noteCalls> = {
    'notes.list': ({ account }) => list(account),
    'notes.change': ({ account, resource, note }) => {
      const kept = tidied(note)
      return change(account, (notes) => (kept ? { ...notes, [resource]: kept } : without(notes, [resource])))
    },
  }
  const events: EventsOf<typeof noteEvents> = { 'notes.changed': changes.on }

  return defineModule({
    handlers,
    events,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
    close: unsubscribe,
  })
}
