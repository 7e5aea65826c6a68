import { describe, expect, it } from 'vitest'
import type { CreationState } from '#shared/bridge/creation'
import { admission, findCreated, nextLook, stateAfter } from './outcome'

const sent = { name: 'train', sentAt: 10_000, before: new Set(['old']) }

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

  it('says that nothing was created only once a late request could not act any more', () => {
    const absent = { kind: 'absent', others: [] } as const
    expect(stateAfter(absent, 59)).toEqual({ kind: 'looking', failure: null })
    expect(stateAfter(absent, 60)).toEqual({ kind: 'absent', others: [] })
  })

  it('looks often at first, then now and then, and not for ever', () => {
    expect([0, 3, 4, 59, 60, 599, 600].map(nextLook)).toEqual([1, 1, 8, 8, 30, 30, null])
  })
})

describe('sending while an earlier creation is open', () => {
  const earlier = (state: CreationState, kind: 'machine' | 'bare-metal' = 'machine') => [
    { kind, name: 'train', state },
  ]

  it('waits while the machine is being looked for', () => {
    expect(admission(earlier({ kind: 'looking', failure: null }), 'machine', 'train')).toBe('wait')
    expect(admission(earlier({ kind: 'sending' }), 'machine', 'train')).toBe('wait')
    expect(admission(earlier({ kind: 'looking', failure: null }), 'machine', 'another')).toBe('send')
  })

  it('needs an explicit yes where it was not found', () => {
    expect(admission(earlier({ kind: 'absent', others: [] }), 'machine', 'train')).toBe('ask')
    expect(admission(earlier({ kind: 'unclear', candidates: [] }), 'machine', 'train')).toBe('ask')
    expect(admission(earlier({ kind: 'absent', others: [] }), 'machine', 'another')).toBe('send')
  })

  it('needs an explicit yes for any bare metal while one is unknown, and none for machines', () => {
    const unknown = earlier({ kind: 'unknown' }, 'bare-metal')
    expect(admission(unknown, 'bare-metal', 'another')).toBe('ask')
    expect(admission(unknown, 'machine', 'train')).toBe('send')
  })

  it('needs none after one that is known', () => {
    expect(admission(earlier({ kind: 'created', machine: 'm', found: true }), 'machine', 'train')).toBe(
      'send',
    )
  })
})
