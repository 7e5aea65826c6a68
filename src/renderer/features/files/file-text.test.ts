// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { Transfer } from '#shared/bridge/files'
import { account } from '../../../../test/gallery/world'
import { comparedFiles, transferParts, transfersSummary } from './file-text'

const transfer = (done: number, total: number, changes: Partial<Transfer> = {}): Transfer => ({
  id: 't',
  account,
  machine: 'm',
  machineName: 'train',
  direction: 'upload',
  name: 'log',
  others: 0,
  files: { done: 0, total: 1 },
  bytes: { done, total },
  state: { kind: 'running', rate: null },
  ...changes,
})

it('the progress of a growing file stays below 100 %', () => {
  expect(transfersSummary([transfer(3_000, 2_000)])).toMatchObject({ kind: 'running', short: '100%' })
  expect(transfersSummary([transfer(500, 2_000), transfer(0, 0)]).short).toBe('25%')
})

it('a transfer with a question counts as running', () => {
  const file = { size: 1, modifiedAt: 1 }
  const asks = { kind: 'asking', name: 'log', there: 'file', more: 0, existing: file, copied: file } as const
  expect(transfersSummary([transfer(0, 0, { state: asks })])).toMatchObject({ kind: 'running', short: '0%' })
})

it('files that could not be deleted are named after the transfer', () => {
  const counts = {
    skipped: 0,
    links: { count: 0, names: [] },
    kept: 0,
    changed: 0,
    renamed: 0,
    modesRefused: 0,
    timesRefused: 0,
    linksCopied: 0,
    linksFailed: { count: 0, names: [], reason: '' },
  }
  const done = { kind: 'done', verified: 'checksum', ...counts, left: ['/srv/runs.part.old'] } as const
  expect(transferParts(transfer(2_000, 2_000, { state: done })).join()).toContain('/srv/runs.part.old')
})

const running = (rate: number | null, changes: Partial<Transfer> = {}) =>
  transferParts(transfer(1_000_000, 5_000_000, { state: { kind: 'running', rate }, ...changes })).join(' · ')

it.each<[rate: number | null, text: string]>([
  [null, '1 MB of 5 MB'],
  [20_000_000, '1 MB of 5 MB · 20 MB/s · 1 s left'],
  [100_000, '1 MB of 5 MB · 100 kB/s · 40 s left'],
  [20_000, '1 MB of 5 MB · 20 kB/s · 3 min left'],
  [500, '1 MB of 5 MB · 500 B/s · 2 h 13 min left'],
  [12, '1 MB of 5 MB · 12 B/s · 3 d 20 h left'],
  [0, '1 MB of 5 MB · Stalled: no data is getting through'],
])('at %s bytes per second the text is “%s”', (rate, text) => {
  expect(running(rate)).toBe(text)
})

it('a transfer of several files counts the finished files', () => {
  const text = running(1_000_000, { files: { done: 1_200, total: 10_000 } })
  expect(text).toBe('1 MB of 5 MB · 1,200 of 10,000 files · 1 MB/s · 4 s left')
})

it('the remaining time of a grown file is not negative', () => {
  const state = { kind: 'running', rate: 1_000 } as const
  expect(transferParts(transfer(6_000, 5_000, { state })).join(' · ')).toBe(
    '6 kB of 5 kB · 1 kB/s · 1 s left',
  )
})

it('the number of copied files is shown after a long name too', () => {
  const counts = {
    skipped: 0,
    links: { count: 0, names: [] },
    kept: 0,
    changed: 0,
    renamed: 0,
    modesRefused: 0,
    timesRefused: 0,
    linksCopied: 0,
    linksFailed: { count: 0, names: [], reason: '' },
  }
  const state = { kind: 'done', verified: 'size', ...counts, left: [] } as const
  const done = (total: number) =>
    transferParts(transfer(2_000, 2_000, { state, files: { done: total, total } }))
  expect(done(12).join(' · ')).toBe('Complete, sizes match · 2 kB · 12 of 12 files')
  expect(done(1).join(' · ')).toBe('Complete, sizes match · 2 kB')
})

it('a transfer without files is not called complete, and names the skipped links', () => {
  const counts = {
    skipped: 0,
    kept: 0,
    changed: 0,
    renamed: 0,
    modesRefused: 0,
    timesRefused: 0,
    linksCopied: 0,
    linksFailed: { count: 0, names: [], reason: '' },
    left: [],
  }
  const links = { count: 3, names: ['cache/a', 'cache/b'] }
  const state = { kind: 'done', verified: 'checksum', ...counts, links } as const
  const parts = transferParts(transfer(0, 0, { state, files: { done: 0, total: 0 } }))
  expect(parts[0]).toBe('No files copied')
  expect(parts.at(-1)).toContain('cache/a, cache/b, …')
  const linksFailed = { count: 1, names: ['cache/a'], reason: 'not permitted' }
  const failed = { ...state, links: { count: 0, names: [] }, linksFailed }
  expect(transferParts(transfer(0, 0, { state: failed })).at(-1)).toBe(
    '1 link couldn’t be copied (cache/a): not permitted',
  )
})

it('the newer of two files with the same name is marked, if their times are known and differ', () => {
  const marks = (existing: number | null, copied: number | null) =>
    comparedFiles({
      existing: { size: 2_000, modifiedAt: existing },
      copied: { size: null, modifiedAt: copied },
    }).map(({ isNewer }) => isNewer)
  expect(marks(1_000, 2_000)).toEqual([false, true])
  expect(marks(2_000, 1_000)).toEqual([true, false])
  expect(marks(1_000, 1_000)).toEqual([false, false])
  expect(marks(null, 1_000)).toEqual([false, false])
  const [first, second] = comparedFiles({
    existing: { size: 2_000, modifiedAt: null },
    copied: { size: null, modifiedAt: 1_000 },
  })
  expect(first).toMatchObject({ size: '2 kB (2,000 bytes)', modified: 'Date unknown' })
  expect(second?.size).toBe('')
})
