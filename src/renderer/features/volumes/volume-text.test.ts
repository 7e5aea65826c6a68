import { expect, it } from 'vitest'
import { expectSafe } from '../../../../test/gallery/hostile-text'
import type { VolumeView } from '#shared/bridge/volume'
import { machine } from '../../../../test/gallery/world'
import { volumeNamed } from './volume.fixture'
import { machineOf, noMachineText, regionText } from './volume-text'

it('a hostile name of a region is made safe', () => {
  expect.hasAssertions()
  expectSafe((name) => regionText(volumeNamed('v', { region: { id: null, name } })))
})

it('a volume in use without a known machine has the reason why it is unknown', () => {
  const machines = new Map([['m1', machine({ id: 'm1', name: 'train-01' })]])
  const reason = (attachment: VolumeView['attachment'], bootable = false) =>
    noMachineText(volumeNamed('v', { attachment, bootable }), machines)
  const somewhere = { kind: 'attached', machine: null } as const
  expect(reason(somewhere)).toBe('Attached before Wheelhouse saw it')
  expect(reason({ ...somewhere, outside: true })).toBe('Attached outside Wheelhouse')
  expect(reason({ ...somewhere, lastMachine: 'm1' })).toBe('Last seen on train-01')
  expect(reason(somewhere, true)).toBe('Used by the machine that boots from it')
  expect(reason({ kind: 'unknown', lastMachine: 'gone' })).toBe('unknown; last attached from here to gone')
  expect(reason({ kind: 'unknown' })).toBe('unknown')
  expect(reason({ kind: 'detached' })).toBe('not attached')
})

it('a volume named in the details of one machine is attached to it', () => {
  const volume = volumeNamed('volume-0001', { attachment: { kind: 'attached', machine: null } })
  const more = [{ path: 'volumes', value: 'volume-0001' }]
  const machines = new Map([['m1', machine({ id: 'm1', more })]])
  expect(machineOf(volume, machines)).toBe('m1')
})
