import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeFolder } from '../../../test/fixtures/remove-folder'
import { openSettings } from '../store/settings'
import { splitSection } from '../store/split-section'
import { type Entry, openEntries } from './entries'

const located = { machine: 'm-1', found: false }
const states: readonly Entry['state'][] = [
  { kind: 'looking', failure: null },
  { kind: 'running', ...located, ssh: 'blocked', stop: { kind: 'no-address' } },
  { kind: 'ready', ...located, setUp: 'done', detail: null, log: null },
  { kind: 'ready', ...located, setUp: 'failed', detail: 'apt failed', log: null },
  { kind: 'failed', ...located, status: null },
]
const entry = (state: Entry['state']): Entry => ({
  id: 'c-1',
  request: 'r-1',
  account: 'abcdefghijkl',
  kind: 'machine',
  name: 'train-1',
  sentAt: 1_800_000_000,
  flavor: 'gpu.1',
  cause: null,
  state,
  connect: 'none',
  services: 'none',
  before: [],
  isBaselineWhole: true,
  identityFile: null,
})

/** Opens the entries of a folder as the application does: private fields are in another document. */
function openIn(folder: string) {
  const settings = openSettings(join(folder, 'settings'))
  const documents = openSettings(join(folder, 'documents'))
  const report = (action: string, error: unknown) => expect.fail(`${action}: ${String(error)}`)
  const entries = openEntries(
    {
      section: (name, schema, fields = []) =>
        splitSection({ settings, documents, report }, name, schema, fields),
    },
    () => undefined,
  )
  return { entries, close: () => Promise.all([settings.close(), documents.close()]) }
}

it.each(states)('a creation in the state %j survives a restart', async (state) => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-entries-'))
  try {
    const first = openIn(folder)
    await first.entries.add(entry({ kind: 'created', ...located }))
    await first.entries.update('abcdefghijkl', 'c-1', (known) => ({ ...known, state }))
    await first.close()
    const second = openIn(folder)
    expect(second.entries.get('c-1')?.state).toEqual(state)
    await second.close()
  } finally {
    await removeFolder(folder)
  }
})
