import { describe, expect, it } from 'vitest'
import type { FleetChange, FleetSnapshot } from '#shared/bridge/fleet'
import { machineNamed } from '../pages/machines/machine.fixture'
import { applyChange, catchUp, fleetOf } from './fleet-state'

const account = 'a1b2c3d4e5f6'
const status = { asOf: 100, reading: false, total: 2, failure: null }
const snapshot: FleetSnapshot = {
  account,
  revision: 7,
  machines: [machineNamed('alpha'), machineNamed('beta')],
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
const names = (step: ReturnType<typeof applyChange>) =>
  step.kind === 'applied' ? [...step.fleet.machines.values()].map(({ name }) => name) : step.kind

describe('a fleet', () => {
  it('takes in the change that follows its revision', () => {
    const step = applyChange(
      fleetOf(snapshot),
      change(8, { upserts: [machineNamed('gamma')], removes: ['alpha'] }),
    )
    expect(names(step)).toEqual(['beta', 'gamma'])
    expect(step).toMatchObject({ fleet: { revision: 8, status: { asOf: 108 } } })
  })

  it('replaces the row of a machine that changed and keeps the others as they are', () => {
    const before = fleetOf(snapshot)
    const step = applyChange(
      before,
      change(8, { upserts: [{ ...machineNamed('alpha'), status: 'stopped' }] }),
    )
    if (step.kind !== 'applied') throw new Error(step.kind)
    expect(step.fleet.machines.get('alpha')?.status).toBe('stopped')
    expect(step.fleet.machines.get('beta')).toBe(before.machines.get('beta'))
    expect(before.machines.get('alpha')?.status).toBe('running')
  })

  it('keeps the very same machines where only the age changed', () => {
    const before = fleetOf(snapshot)
    expect(applyChange(before, change(8))).toMatchObject({ fleet: { machines: before.machines } })
  })

  it('passes over what it knows already', () => {
    expect(names(applyChange(fleetOf(snapshot), change(7, { removes: ['alpha'] })))).toBe('old')
  })

  it('asks for a snapshot when a revision was missed', () => {
    expect(names(applyChange(fleetOf(snapshot), change(9)))).toBe('missed')
  })
})

describe('a snapshot that took its time', () => {
  it('is followed by the changes that overtook it, in their order', () => {
    const step = catchUp(snapshot, [
      change(9, { removes: ['gamma'] }),
      change(7, { removes: ['alpha'] }),
      change(8, { upserts: [machineNamed('gamma'), machineNamed('delta')] }),
    ])
    expect(names(step)).toEqual(['alpha', 'beta', 'delta'])
  })

  it('is asked for again when a change between is missing', () => {
    expect(names(catchUp(snapshot, [change(9)]))).toBe('missed')
  })
})
