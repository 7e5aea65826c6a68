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
  { kind: 'booting', ...machine },
  { kind: 'running', ...machine, ssh: 'unchecked', stop: null },
  { kind: 'ready', ...machine, setUp: 'done', detail: null, log: null },
  { kind: 'failed', ...machine, status: 'error' },
]

describe('confirmation before another creation is sent', () => {
  it.each(unsettled)('is required for one of the same name that is $kind', (state) => {
    expect(asks(earlier(state), {})).toBe(true)
  })

  it.each(settled)('is not required for one of the same name that is $kind', (state) => {
    expect(asks(earlier(state), {})).toBe(false)
  })

  it.each([...unsettled, ...settled])('is required for one of the same draft that is $kind', (state) => {
    expect(asks(earlier(state), { request: 'first', name: 'renamed' })).toBe(true)
  })

  it('is not required for another draft with another name', () => {
    expect(asks(earlier({ kind: 'looking', failure: null }), { name: 'another' })).toBe(false)
  })

  it('is required for any bare metal while one is unknown, but not for a machine', () => {
    const unknown = earlier({ kind: 'unknown' }, 'bare-metal')
    expect(asks(unknown, { kind: 'bare-metal', name: 'another' })).toBe(true)
    expect(asks(unknown, {})).toBe(false)
  })
})
