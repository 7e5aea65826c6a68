import { describe, expect, it } from 'vitest'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import { machineNamed } from '../machines/machine.fixture'
import { rowFilter, sortedBy } from '../../components/rows'
import { type InstanceKey, instanceRows, stateOf, stateText } from './instance-list'

const instance = (name: string, changes: Partial<BareMetalView> = {}): BareMetalView => ({
  ...machineNamed(name),
  status: null,
  origin: 'added',
  knownSince: 1_000_000,
  presence: 'there',
  ...changes,
})

describe('a bare metal instance', () => {
  it("has the service's state, else a state derived from its fields", () => {
    const shown = (changes: Partial<BareMetalView>) => {
      const one = instance('metal', changes)
      return [stateText(one), stateOf(one)]
    }
    expect(shown({ status: 'creating' })).toEqual(['Creating', 'moving'])
    expect(shown({ address: '203.0.113.9' })).toEqual(['Started', 'other'])
    expect(shown({ address: null, startedAt: null })).toEqual(['Preparing', 'moving'])
    expect(shown({ presence: 'gone', status: 'running' })).toEqual(['Deleted', 'failed'])
    expect(shown({ presence: 'unread' })).toEqual(['Loading', 'other'])
  })

  it('is filtered and sorted by the texts of its row', () => {
    const all = [instance('metal-10', { region: 'Oslo' }), instance('metal-2', { region: 'Texas' })]
    const sorted = (key: InstanceKey, descending: boolean) =>
      sortedBy(all, instanceRows, { key, descending }).map(({ name }) => name)
    expect(rowFilter(all, instanceRows)('texas started').map(({ name }) => name)).toEqual(['metal-2'])
    expect(sorted('name', false)).toEqual(['metal-2', 'metal-10'])
    expect(sorted('region', true)).toEqual(['metal-2', 'metal-10'])
  })
})
