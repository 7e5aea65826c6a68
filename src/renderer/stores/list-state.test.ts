import { describe, expect, it } from 'vitest'
import type { FleetChange, FleetStatus, MachineView } from '#shared/bridge/fleet'
import { machineNamed } from '../pages/machines/machine.fixture'
import { applyChange, catchUp, listOf, type Step } from './list-state'

const account = 'a1b2c3d4e5f6'
const status: FleetStatus = { asOf: 100, reading: false, total: 2, failure: null }
const snapshot = {
  revision: 7,
  items: [machineNamed('alpha'), machineNamed('beta')],
  status,
}
const change = (revision: number, changes: Partial<FleetChange> = {}): FleetChange => ({
  account,
  revision,
  upserts: [],
  removes: [],
  status: { ...status, asOf: 100 + revision },
  ...changes,
})
const names = (step: Step<MachineView, FleetStatus>) =>
  step.kind === 'applied' ? [...step.list.items.values()].map(({ name }) => name) : step.kind

describe('applyChange', () => {
  it('applies the change that follows the list’s revision', () => {
    const step = applyChange(
      listOf(snapshot),
      change(8, { upserts: [machineNamed('gamma')], removes: ['alpha'] }),
    )
    expect(names(step)).toEqual(['beta', 'gamma'])
    expect(step).toMatchObject({ list: { revision: 8, status: { asOf: 108 } } })
  })

  it('replaces the changed row and keeps all other row objects', () => {
    const before = listOf(snapshot)
    const step = applyChange(
      before,
      change(8, { upserts: [{ ...machineNamed('alpha'), status: 'stopped' }] }),
    )
    if (step.kind !== 'applied') throw new Error(step.kind)
    expect(step.list.items.get('alpha')?.status).toBe('stopped')
    expect(step.list.items.get('beta')).toBe(before.items.get('beta'))
    expect(before.items.get('alpha')?.status).toBe('running')
  })

  it('keeps the order of the snapshot and appends new rows', () => {
    const change8 = change(8, {
      upserts: [machineNamed('gamma'), { ...machineNamed('alpha'), status: 'stopped' }],
    })
    const step = applyChange(listOf(snapshot), change8)
    if (step.kind !== 'applied') throw new Error(step.kind)
    const { items } = step.list
    expect([...items.keys()]).toEqual(['alpha', 'beta', 'gamma'])
    expect([...items].map(([id, { status: is }]) => [id, is])).toEqual([
      ['alpha', 'stopped'],
      ['beta', 'running'],
      ['gamma', 'running'],
    ])
    const each: string[] = []
    items.forEach(({ id }) => each.push(id))
    expect(each).toEqual([...items.entries()].map(([id]) => id))
    expect([items.size, items.has('gamma'), items.has('delta'), items.get('delta')]).toEqual([
      3,
      true,
      false,
      undefined,
    ])
  })

  it('keeps the same map if no row changed', () => {
    const before = listOf(snapshot)
    expect(applyChange(before, change(8))).toMatchObject({ list: { items: before.items } })
  })

  it('ignores changes that were applied before', () => {
    expect(names(applyChange(listOf(snapshot), change(7, { removes: ['alpha'] })))).toBe('old')
  })

  it('requires a snapshot if a revision is missing', () => {
    expect(names(applyChange(listOf(snapshot), change(9)))).toBe('missed')
  })
})

describe('catchUp', () => {
  it('applies the changes that overtook the snapshot, by revision', () => {
    const step = catchUp(snapshot, [
      change(9, { removes: ['gamma'] }),
      change(7, { removes: ['alpha'] }),
      change(8, { upserts: [machineNamed('gamma'), machineNamed('delta')] }),
    ])
    expect(names(step)).toEqual(['alpha', 'beta', 'delta'])
  })

  it('requires a new snapshot if a change in between is missing', () => {
    expect(names(catchUp(snapshot, [change(9)]))).toBe('missed')
  })
})
