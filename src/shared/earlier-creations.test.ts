import { describe, expect, it } from 'vitest'
import type { CreationState } from './bridge/creation'
import { earlierCreations } from './earlier-creations'

const earlier = (state: CreationState, kind: 'machine' | 'bare-metal' = 'machine') => ({
  kind,
  name: 'train',
  request: 'first',
  state,
})
const asks = (
  one: ReturnType<typeof earlier>,
  { kind, name, request }: Partial<{ kind: 'machine' | 'bare-metal'; name: string; request: string }>,
) =>
  earlierCreations([one], { kind: kind ?? 'machine', name: name ?? 'train', request: request ?? 'second' })
    .length > 0

const machine = { machine: 'm', found: false }
const unsettled: readonly CreationState[] = [
  { kind: 'sending' },
  { kind: 'looking', failure: null },
  { kind: 'created', ...machine },
  { kind: 'absent', others: [] },
  { kind: 'unclear', candidates: [] },
  { kind: 'unknown' },
]
const settled: readonly CreationState[] = [
  { kind: 'running', ...machine },
  { kind: 'failed', ...machine },
]

describe('whether a person is asked before another creation is sent', () => {
  it.each(unsettled)('asks about one of its name that is $kind', (state) => {
    expect(asks(earlier(state), {})).toBe(true)
  })

  it.each(settled)('does not ask about one of its name that is $kind', (state) => {
    expect(asks(earlier(state), {})).toBe(false)
  })

  it.each([...unsettled, ...settled])('asks about one of the same draft that is $kind', (state) => {
    expect(asks(earlier(state), { request: 'first', name: 'renamed' })).toBe(true)
  })

  it('does not ask about another draft of another name', () => {
    expect(asks(earlier({ kind: 'looking', failure: null }), { name: 'another' })).toBe(false)
  })

  it('asks before any bare metal while one is unknown, and not before a machine', () => {
    const unknown = earlier({ kind: 'unknown' }, 'bare-metal')
    expect(asks(unknown, { kind: 'bare-metal', name: 'another' })).toBe(true)
    expect(asks(unknown, {})).toBe(false)
  })
})
