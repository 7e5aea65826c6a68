// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { Transfer } from '#shared/bridge/files'
import { account } from '../../../../test/gallery/world'
import { transferParts, transfersSummary } from './file-text'

const transfer = (done: number, total: number, changes: Partial<Transfer> = {}): Transfer => ({
  ...{ id: 't', account, machine: 'm', machineName: 'train', direction: 'upload', name: 'log', others: 0 },
  ...{ files: { done: 0, total: 1 }, bytes: { done, total }, state: { kind: 'running', rate: null } },
  ...changes,
})

it('a file that grows while it is copied is never more than complete', () => {
  expect(transfersSummary([transfer(3_000, 2_000)])).toMatchObject({ kind: 'running', short: '100%' })
  expect(transfersSummary([transfer(500, 2_000), transfer(0, 0)]).short).toBe('25%')
})

it('one that asks is under way', () => {
  const asks = { kind: 'asking', name: 'log', there: 'file', more: 0 } as const
  expect(transfersSummary([transfer(0, 0, { state: asks })])).toMatchObject({ kind: 'running', short: '0%' })
})

it('what could not be deleted is named once all is copied', () => {
  const counts = { skipped: 0, kept: 0, changed: 0, renamed: 0 }
  const done = { kind: 'done', verified: 'checksum', ...counts, left: ['/srv/runs.part.old'] } as const
  expect(transferParts(transfer(2_000, 2_000, { state: done })).join()).toContain('/srv/runs.part.old')
})
