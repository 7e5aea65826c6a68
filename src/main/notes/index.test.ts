import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import type { Notes } from '#shared/bridge/note'
import { FailureError } from '#shared/failure'
import { createEmitter, type Emitter } from '#shared/emitter'
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

  let listed: ReadonlySet<string>
  let fleetChanges: Emitter<FleetChange>
  let asOf = 0
  const open = () =>
    createNotes({
      documents: openSettings(folder),
      fleet: {
        view: (_account, id) => (listed.has(id) ? machine(id) : undefined),
        onChange: fleetChanges.on,
        onGone: gone.on,
      },
      machine: (_account, id) =>
        Promise.reject(
          new FailureError({ kind: 'refused-by-service', status: id === 'm-odd' ? 500 : 404, message: 'no' }),
        ),
      report: (_action, error) => expect.fail(String(error)),
    })
  /** Reads the list of machines. */
  const read = (): void => {
    asOf += 1
    fleetChanges.emit({
      account,
      revision: asOf,
      removes: [],
      upserts: [...listed].map(machine),
      status: { asOf, reading: false, total: listed.size, failure: null },
    })
  }
  const keep = (resource: string, text: string, tags: string[] = [], of = account) =>
    notes.handlers['notes.change']({ account: of, resource, note: { text, tags } })
  const list = (of = account) => notes.handlers['notes.list']({ account: of })

  beforeEach(async () => {
    gone = createEmitter()
    fleetChanges = createEmitter()
    listed = new Set()
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-notes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    notes = open()
    changes = []
    notes.events['notes.changed'](({ notes: kept }) => changes.push(kept))
  })

  it('are stored per account and resource, and survive a restart', async () => {
    await keep('m1', 'for the paper', ['ada'])
    await keep('m1', 'other', [], other)
    notes = open()
    expect(await list()).toEqual({ m1: { text: 'for the paper', tags: ['ada'] } })
    expect(await list(other)).toEqual({ m1: { text: 'other', tags: [] } })
    expect(changes).toHaveLength(2)
  })

  it('are trimmed, and lose repeated tags whatever their case', async () => {
    await keep('m1', '  until Friday\n', ['GPU', ' gpu ', 'Ada'])
    expect(await list()).toEqual({ m1: { text: 'until Friday', tags: ['gpu', 'Ada'] } })
  })

  it('are deleted when empty, with their resource, and with their account', async () => {
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

  it('are empty for resources without a note, whatever their id', async () => {
    await keep('m1', 'mine')
    listed = new Set(['m1', 'constructor', 'toString', '__proto__'])
    read()
    await keep('m2', 'mine too')
    notes = open()
    const kept = { m1: { text: 'mine', tags: [] }, m2: { text: 'mine too', tags: [] } }
    expect(await list()).toEqual(kept)
    expect(Object.keys(await list())).toEqual(Object.keys(kept))
  })

  it('are deleted with a machine that was deleted while the application was closed, and with no other', async () => {
    await keep('m-before', 'from before the list was read')
    listed = new Set(['m-before', 'm-now', 'm-here', 'm-odd'])
    read()
    for (const id of ['m-now', 'm-here', 'm-odd', 'a-volume']) await keep(id, id)
    notes.close()
    notes = open()
    notes.events['notes.changed'](({ notes: kept }) => changes.push(kept))
    listed = new Set(['m-here'])
    changes = []
    read()
    expect(changes).toEqual([])
    read()
    await expect.poll(() => changes).toHaveLength(1)
    expect(Object.keys(changes[0] ?? {}).sort()).toEqual(['a-volume', 'm-here', 'm-odd'])
    // The write ends before the folder is deleted.
    await notes.forgetAccount(account)
  })
})
