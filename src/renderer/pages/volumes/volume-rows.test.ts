import { expect, it } from 'vitest'
import { machineNamed } from '../machines/machine.fixture'
import { sortedBy } from '../../components/rows'
import { type VolumeColumn, volumeRows } from './volume-rows'
import { volumeNamed } from '../../features/volumes/volume.fixture'

const machines = new Map([['m', machineNamed('m', { name: 'alpha' })]])
const volumes = [
  volumeNamed('data-10', { size: 1, attachment: { kind: 'attached', machine: 'm' }, createdAt: 3 }),
  volumeNamed('data-2', { size: 300, region: { id: null, name: 'Bern' }, createdAt: 1 }),
  volumeNamed('data-1', { size: null, status: null, createdAt: 2 }),
]
const order = (key: VolumeColumn, descending = false) =>
  sortedBy(volumes, volumeRows(machines), { key, descending }).map(({ id }) => id)

it('names are sorted with numbers as numbers', () =>
  expect(order('name')).toEqual(['data-1', 'data-2', 'data-10']))

it('sizes are sorted as numbers, unknown ones last in both directions', () => {
  expect(order('size')).toEqual(['data-10', 'data-2', 'data-1'])
  expect(order('size', true)).toEqual(['data-2', 'data-10', 'data-1'])
})

it("attachments are sorted by the machine's name", () => expect(order('machine')[0]).toBe('data-10'))

it('equal regions and ages are sorted by name', () => {
  expect(order('region')).toEqual(['data-2', 'data-1', 'data-10'])
  expect(order('created')).toEqual(['data-2', 'data-1', 'data-10'])
})
