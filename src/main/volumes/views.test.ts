import { expect, it } from 'vitest'
import { Volume } from '#shared/service/volume'
import { volumeField, volumeMore } from './views'

it('masks undescribed text and reveals one field at a time', () => {
  const volume = Volume.parse({ id: 'v1', display_name: 'odd', mount_key: 'do not reveal', iops: 3 })
  expect(volumeMore(volume)).toEqual([
    { path: 'mount_key', value: null },
    { path: 'iops', value: '3' },
  ])
  expect(volumeField(volume, 'mount_key')).toBe('do not reveal')
  expect(() => volumeField(volume, 'display_name')).toThrow('invalid-input')
  expect(() => volumeField(undefined, 'mount_key')).toThrow('invalid-input')
})
