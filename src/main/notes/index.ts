import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { Note, type noteCalls, type noteEvents, type Notes } from '#shared/bridge/note'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { forgetGone } from '../fleet/forget-gone'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'

/** Stored note. `ofMachine`: whether its resource was in the list of machines, which can show that it is gone. */
const StoredNote = Note.extend({ ofMachine: z.boolean().default(false) })
type StoredNotes = Readonly<Record<string, z.infer<typeof StoredNote>>>

/** By account, then by the resource's id. */
const AllNotes = z.record(z.string(), z.record(z.string(), StoredNote))

/** Ids come from the service and may equal a property such as `constructor`. */
const noteOf = (notes: StoredNotes, id: string) => (Object.hasOwn(notes, id) ? notes[id] : undefined)

/** Trims a note and removes repeated tags, ignoring case. Returns undefined if nothing is left. */
function normalized({ text, tags }: Note): Note | undefined {
  const tagsByKey = new Map(tags.map((tag) => [tag.trim().toLowerCase(), tag.trim()]))
  const note = { text: text.trim(), tags: [...tagsByKey.values()] }
  return note.text === '' && note.tags.length === 0 ? undefined : note
}

export interface NotesDeps {
  readonly documents: Sections
  readonly fleet: Pick<Fleet, 'view' | 'onChange' | 'onGone'>
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
  readonly report: ReportError
}

/** Stores the users' notes and tags for resources, as private documents. */
export function createNotes({ documents, fleet, machine, report }: NotesDeps) {
  const section = documents.section('notes', AllNotes)
  const changes = createEmitter<EventPayload<'notes.changed'>>()
  const stored = (account: AccountId): StoredNotes => section.read()[account] ?? {}
  const list = (account: AccountId): Notes =>
    Object.fromEntries(Object.entries(stored(account)).map(([id, { text, tags }]) => [id, { text, tags }]))

  async function change(account: AccountId, update: (notes: StoredNotes) => StoredNotes): Promise<void> {
    const written = section.change((all) => ({ ...all, [account]: update(all[account] ?? {}) }))
    changes.emit({ account, notes: list(account) })
    await written
  }

  section.onLoad(() => {
    for (const account of Object.keys(section.read())) changes.emit({ account, notes: list(account) })
  })

  const without = (notes: StoredNotes, resources: readonly string[]): StoredNotes =>
    Object.fromEntries(Object.entries(notes).filter(([id]) => !resources.includes(id)))

  /** Deletes the notes of deleted resources. Fails with local-fault. */
  async function forget(account: AccountId, resources: readonly string[]): Promise<void> {
    const before = section.read()
    const written = section.change((all) => {
      const notes = all[account] ?? {}
      return resources.some((id) => noteOf(notes, id))
        ? { ...all, [account]: without(notes, resources) }
        : all
    })
    if (section.read() !== before) changes.emit({ account, notes: list(account) })
    await written
  }

  /** Marks notes of machines that were written before their resource was listed. Fails with local-fault. */
  async function recognize(account: AccountId, machines: readonly { readonly id: string }[]): Promise<void> {
    const recognized = machines.flatMap(({ id }) => {
      const note = noteOf(stored(account), id)
      return note && !note.ofMachine ? [[id, { ...note, ofMachine: true }] as const] : []
    })
    if (recognized.length === 0) return
    await section.change((all) => ({
      ...all,
      [account]: { ...all[account], ...Object.fromEntries(recognized) },
    }))
  }

  const reportForget = (error: unknown): void => report('notes.forget', error)
  const unsubscribe = [
    fleet.onChange(({ account, upserts }) => void recognize(account, upserts).catch(reportForget)),
    forgetGone({
      fleet,
      onGone: fleet.onGone,
      remembered: (account) =>
        Object.entries(stored(account)).flatMap(([id, { ofMachine }]) => (ofMachine ? [id] : [])),
      isListed: (account, id) => fleet.view(account, id) !== undefined,
      details: [machine],
      forget,
      report: reportForget,
    }),
  ]

  const handlers: HandlersOf<typeof noteCalls> = {
    'notes.list': ({ account }) => list(account),
    'notes.change': ({ account, resource, note }) => {
      const normalizedNote = normalized(note)
      const isListed = fleet.view(account, resource) !== undefined
      return change(account, (notes) => {
        const ofMachine = isListed || noteOf(notes, resource)?.ofMachine === true
        return normalizedNote
          ? { ...notes, [resource]: { ...normalizedNote, ofMachine } }
          : without(notes, [resource])
      })
    },
  }
  const events: EventsOf<typeof noteEvents> = { 'notes.changed': changes.on }

  return defineModule({
    handlers,
    events,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
    close: (): void => unsubscribe.forEach((end) => end()),
  })
}
