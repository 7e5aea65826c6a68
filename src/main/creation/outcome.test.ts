import { describe, expect, it } from 'vitest'
import { findCreated, nextLook, stateAfter } from './outcome'

const sent = { name: 'train', sentAt: 10_000, before: new Set(['old']), isBaselineWhole: true }

describe('comparing what is there with what was there', () => {
  it('recognises the one new machine of its name', () => {
    const now = [
      { id: 'old', name: 'train' },
      { id: 'new', name: 'train' },
      { id: 'other', name: 'someone-else' },
    ]
    expect(findCreated(sent, now)).toEqual({ kind: 'created', machine: 'new' })
  })

  it('does not take a machine of another name for it, and mentions it', () => {
    const other = { id: 'other', name: 'someone-else' }
    expect(findCreated(sent, [{ id: 'old', name: 'train' }, other])).toEqual({
      kind: 'absent',
      others: [other],
    })
  })

  it('prefers the one that started since, where the earlier reading had missed another of its name', () => {
    const missed = { id: 'missed', name: 'train', started_time: 1_000 }
    const now = [missed, { id: 'new', name: 'train', started_time: 10_001 }]
    expect(findCreated(sent, now)).toEqual({ kind: 'created', machine: 'new' })
  })

  it('does not deny the only one because a clock is wrong', () => {
    expect(findCreated(sent, [{ id: 'new', name: 'train', started_time: 1_000 }])).toEqual({
      kind: 'created',
      machine: 'new',
    })
  })

  it('does not guess between two', () => {
    const two = [
      { id: 'a', name: 'train' },
      { id: 'b', name: 'train' },
    ]
    expect(findCreated(sent, two)).toEqual({ kind: 'unclear', candidates: two })
  })

  it('a machine is only a candidate if it is unknown which machines were there before', () => {
    const now = [{ id: 'new', name: 'train' }]
    expect(findCreated({ ...sent, isBaselineWhole: false }, now)).toEqual({
      kind: 'unclear',
      candidates: now,
    })
  })

  it('says that nothing was created only once a late request could not act any more', () => {
    const absent = { kind: 'absent', others: [] } as const
    expect(stateAfter(absent, 59, true)).toEqual({ kind: 'looking', failure: null })
    expect(stateAfter(absent, 60, true)).toEqual({ kind: 'absent', others: [] })
  })

  it('leaves it open where the list could not be read in full', () => {
    const absent = { kind: 'absent', others: [] } as const
    expect(stateAfter(absent, 59, false)).toEqual({ kind: 'looking', failure: null })
    expect(stateAfter(absent, 60, false)).toEqual({ kind: 'unknown' })
  })

  it('looks often at first, then now and then, and not for ever', () => {
    expect([0, 3, 4, 59, 60, 599, 600].map(nextLook)).toEqual([1, 1, 8, 8, 30, 30, null])
  })
})
