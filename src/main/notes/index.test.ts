import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Notes } from '#shared/bridge/note'
import { createEmitter, type Emitter } from '../core/emitter'
import type { GoneMachines } from '../fleet/index'
import { machineView } from '../fleet/machine-view'
import { openSettings } from '../store/settings'
import { createNotes } from './index'

const account = 'abcdefghijkl'
const other = 'bcdefghijklm'
const machine = (id: string) => machineView({ id, name: id })

describe('notes and tags', () => {
  let folder: string
  let notes: ReturnType<typeof createNotes>
  let changes: Notes[]
  let gone: Emitter<GoneMachines>

  const open = () =>
    createNotes({ documents: openSettings(folder), fleet: { onGone: gone.on }, report: () => undefined })
  const keep = (resource: string, text: string, tags: string[] = [], of = account) =>
    notes.handlers['notes.change']({ account: of, resource, note: { text, tags } })
  const list = (of = account) => notes.handlers['notes.list']({ account: of })

  beforeEach(async () => {
    gone = createEmitter()
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-notes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    notes = open()
    changes = []
    notes.events['notes.changed'](({ notes: kept }) => changes.push(kept))
  })

  it('are kept per account and resource, and survive a restart', async () => {
    await keep('m1', 'for the paper', ['ada'])
    await keep('m1', 'other', [], other)
    notes = open()
    expect(await list()).toEqual({ m1: { text: 'for the paper', tags: ['ada'] } })
    expect(await list(other)).toEqual({ m1: { text: 'other', tags: [] } })
    expect(changes).toHaveLength(2)
  })

  it('lose the space around them, and tags that are there already whatever their case', async () => {
    await keep('m1', '  until Friday\n', ['GPU', ' gpu ', 'Ada'])
    expect(await list()).toEqual({ m1: { text: 'until Friday', tags: ['gpu', 'Ada'] } })
  })

  it('are forgotten where nothing is left, with their resource, and with their account', async () => {
    await keep('m1', 'a')
    await keep('m2', 'b')
    await keep('m3', 'c', [], other)
    await keep('m1', ' ')
    expect(await list()).toEqual({ m2: { text: 'b', tags: [] } })
    gone.emit({ account, machines: [machine('m2'), machine('unknown')], expected: false })
    expect(await list()).toEqual({})
    await notes.forgetAccount(other)
    expect(await list(other)).toEqual({})
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).not.toContain('"c"')
  })
})
