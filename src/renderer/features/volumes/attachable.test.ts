import { expect, it } from 'vitest'
import { machineNamed } from '../../pages/machines/machine.fixture'
import { disabledReason } from './attachable'
import { volumeNamed } from './volume.fixture'

const machine = machineNamed('m', { region: 'Oslo' })

it('offers volumes that fit, and volumes with unknown properties', () => {
  expect(disabledReason(volumeNamed('a'), machine)).toBeNull()
  const unknown = volumeNamed('a', {
    status: null,
    bootable: null,
    region: { id: null, name: null },
    attachment: { kind: 'unknown' },
  })
  expect(disabledReason(unknown, machine)).toBeNull()
})

it.each([
  ['bootable', { bootable: true }],
  ['region', { region: { id: 'p', name: 'Paris' } }],
  ['attached', { status: 'in-use', attachment: { kind: 'attached', machine: null } }],
  ['moving', { status: 'creating', settling: true }],
] as const)('does not offer a volume that is %s', (why, changes) => {
  expect(disabledReason(volumeNamed('a', changes), machine)).toBe(why)
})

it('offers a new volume if the service does not report when it is ready', () => {
  expect(disabledReason(volumeNamed('a', { status: 'creating', settling: false }), machine)).toBeNull()
})
