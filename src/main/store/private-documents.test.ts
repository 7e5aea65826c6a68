import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { installation, type Start } from '../../../test/fixtures/private-documents'

const Notes = z.record(z.string(), z.string())
const notesOf = ({ documents }: Start) => documents.section('notes', Notes)
const write =
  (account: string, text: string) =>
  (notes: z.infer<typeof Notes>): z.infer<typeof Notes> => ({ ...notes, [account]: text })

describe('private documents', () => {
  it('are found again after a restart, and appear in no plain file', async () => {
    const { start, plainText } = installation()
    const first = start()
    await first.open()
    await notesOf(first).change(write('a', 'canary-note'))
    await first.quit()
    expect(plainText()).not.toContain('canary-note')
    const second = start()
    const notes = notesOf(second)
    expect(notes.isReady()).toBe(false)
    await second.open()
    expect([notes.isReady(), notes.read()]).toEqual([true, { a: 'canary-note' }])
  })

  it('apply changes from before the store opened, and report that they loaded', async () => {
    const { start } = installation()
    const first = start()
    await first.open()
    await notesOf(first).change(() => ({ a: 'one', b: 'two' }))
    await first.quit()
    const second = start()
    const notes = notesOf(second)
    const loaded: unknown[] = []
    notes.onLoad(() => loaded.push(notes.read()))
    await notes.change(write('a', 'changed'))
    await notes.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== 'b')))
    await notes.change(write('c', 'three'))
    await second.open()
    expect(loaded).toEqual([{ a: 'changed', c: 'three' }])
    await second.quit()
    const third = start()
    const kept = notesOf(third)
    await third.open()
    expect(kept.read()).toEqual({ a: 'changed', c: 'three' })
  })

  it('are in memory while the keychain is locked, and are written to the file once it opens', async () => {
    const { start, keychain, plainText } = installation()
    keychain.failing = 'locked'
    const first = start()
    const notes = notesOf(first)
    const settled = notes.ready()
    await first.open()
    await settled
    await notes.change(write('a', 'canary-note'))
    expect(notes.read()).toEqual({ a: 'canary-note' })
    await first.settings.flushed()
    expect(plainText()).not.toContain('canary-note')
    keychain.failing = null
    await first.retry()
    await first.quit()
    const second = start()
    const kept = notesOf(second)
    await second.open()
    expect(kept.read()).toEqual({ a: 'canary-note' })
  })

  it('drop a detail that was cleared, but not one that is not yet known', async () => {
    const { start, keychain } = installation()
    const Volume = z.object({ size: z.number(), description: z.string().nullable().default(null) })
    const volumesOf = ({ documents }: Start) =>
      documents.section('volumes', z.record(z.string(), Volume), ['description'])
    const first = start()
    const volumes = volumesOf(first)
    await first.open()
    await volumes.change(() => ({
      a: { size: 1, description: 'old' },
      b: { size: 1, description: 'kept' },
    }))
    await volumes.change((all) => ({ ...all, a: { size: 1, description: null } }))
    await first.quit()
    keychain.failing = 'locked'
    const second = start()
    const locked = volumesOf(second)
    await second.open()
    await locked.change((all) => ({ ...all, b: { size: 2, description: null } }))
    await second.quit()
    keychain.failing = null
    const third = start()
    const found = volumesOf(third)
    await third.open()
    expect(found.read()).toEqual({ a: { size: 1, description: null }, b: { size: 2, description: 'kept' } })
  })

  it('are reset if they do not fit the schema, and the old text is kept', async () => {
    const { start } = installation()
    const first = start()
    await first.open()
    await first.documents
      .section('notes', z.object({ text: z.number().default(1) }).or(z.number()))
      .change(() => 5)
    await first.quit()
    const second = start()
    const notes = notesOf(second)
    await second.open()
    expect(notes.read()).toEqual({})
    expect(second.reports).toEqual(['store.readDocument: Error: notes, '])
    await second.quit()
    const third = start()
    const old = third.documents.section('notes.damaged', z.unknown())
    await third.open()
    expect(old.read()).toEqual(5)
  })

  it('lose only an unreadable part, which stays in the file', async () => {
    const { start } = installation()
    const first = start()
    await first.open()
    const later = { a: 'note', b: { text: 'of a later version' } }
    await first.documents.section('notes', z.record(z.string(), z.unknown())).change(() => later)
    await first.quit()
    const second = start()
    const notes = notesOf(second)
    await second.open()
    expect(notes.read()).toEqual({ a: 'note' })
    await notes.change((all) => ({ ...all, c: 'new' }))
    await second.quit()
    const third = start()
    const all = third.documents.section('notes', z.record(z.string(), z.unknown()))
    await third.open()
    expect(all.read()).toEqual({ ...later, c: 'new' })
  })
})

describe('a forgotten account', () => {
  it('leaves a locked file at its next opening', async () => {
    const { start, keychain } = installation()
    const first = start()
    await first.open()
    await notesOf(first).change(() => ({ a: 'one', b: 'two' }))
    for (const account of ['a', 'b'])
      first.store
        .file()
        ?.prepare(
          "INSERT INTO resource (account, id, kind, first_seen, last_seen) VALUES (?, 'vm-1', 'machine', 1, 2)",
        )
        .run(account)
    await first.quit()
    keychain.failing = 'locked'
    const second = start()
    notesOf(second)
    await second.open()
    await second.documents.forgetAccount('a', () => Promise.resolve())
    await second.quit()
    keychain.failing = null
    const third = start()
    const notes = notesOf(third)
    await third.open()
    expect(notes.read()).toEqual({ b: 'two' })
    expect(third.store.file()?.prepare('SELECT account FROM resource').all()).toEqual([{ account: 'b' }])
    await third.settings.flushed()
    expect(third.settings.raw('forgotten')).toEqual({ accounts: [] })
  })
})
