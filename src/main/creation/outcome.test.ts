import { describe, expect, it } from 'vitest'
import { findCreated, nextLook, stateAfter } from './outcome'

const sent = { name: 'train', sentAt: 10_000, before: new Set(['old']), isBaselineWhole: true }

describe('comparing current machines with earlier ones', () => {
  it('recognizes the only new machine of the name', () => {
    const now = [
      { id: 'old', name: 'train' },
      { id: 'new', name: 'train' },
      { id: 'other', name: 'someone-else' },
    ]
    expect(findCreated(sent, now)).toEqual({ kind: 'created', machine: 'new' })
  })

  it('does not match a machine of another name, and mentions it', () => {
    const other = { id: 'other', name: 'someone-else' }
    expect(findCreated(sent, [{ id: 'old', name: 'train' }, other])).toEqual({
      kind: 'absent',
      others: [other],
    })
  })

  it('prefers a machine that started since, if the baseline missed an older one of the name', () => {
    const missed = { id: 'missed', name: 'train', started_time: 1_000 }
    const now = [missed, { id: 'new', name: 'train', started_time: 10_001 }]
    expect(findCreated(sent, now)).toEqual({ kind: 'created', machine: 'new' })
  })

  it('matches the only machine even if a clock is wrong', () => {
    expect(findCreated(sent, [{ id: 'new', name: 'train', started_time: 1_000 }])).toEqual({
      kind: 'created',
      machine: 'new',
    })
  })

  it('does not choose between two machines', () => {
    const two = [
      { id: 'a', name: 'train' },
      { id: 'b', name: 'train' },
    ]
    expect(findCreated(sent, two)).toEqual({ kind: 'unclear', candidates: two })
  })

  it('offers a machine only as a candidate if the baseline is incomplete', () => {
    const now = [{ id: 'new', name: 'train' }]
    expect(findCreated({ ...sent, isBaselineWhole: false }, now)).toEqual({
      kind: 'unclear',
      candidates: now,
    })
  })

  it('reports that nothing was created only once a late request can no longer act', () => {
    const absent = { kind: 'absent', others: [] } as const
    expect(stateAfter(absent, 59, true)).toEqual({ kind: 'looking', failure: null })
    expect(stateAfter(absent, 60, true)).toEqual({ kind: 'absent', others: [] })
  })

  it('stays open if the list was incomplete', () => {
    const absent = { kind: 'absent', others: [] } as const
    expect(stateAfter(absent, 59, false)).toEqual({ kind: 'looking', failure: null })
    expect(stateAfter(absent, 60, false)).toEqual({ kind: 'unknown' })
  })

  it('looks often at first, then rarely, then no more', () => {
    expect([0, 3, 4, 59, 60, 599, 600].map(nextLook)).toEqual([1, 1, 8, 8, 30, 30, null])
  })
})
