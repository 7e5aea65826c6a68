import fc from 'fast-check'
import { expect, it } from 'vitest'
import { undescribed, withFields } from '../../../test/fixtures/undescribed-fields'
import { shownFields } from '../core/extra-fields'
import { maskedRecord } from './masked-record'

const canary = 'Ca9nary'
const machine = {
  id: 'vm-1',
  name: 'trainer',
  status: 'running',
  fixed_ip: '10.0.0.1',
  login: { username: 'ubuntu', password: 'hunter2', ssh_key: { name: 'laptop' } },
  flavor: { name: 'h100', gpu: 'H100', cpu: 8 },
  region: { name: 'Oslo' },
}

it('described fields of described objects stay, secrets are masked', () => {
  expect(JSON.parse(maskedRecord({ ...machine, user_data: [{ name: 'x', count: 3 }] }))).toEqual({
    ...machine,
    login: { ...machine.login, password: '•••' },
    user_data: [{ name: '•••', count: 3 }],
  })
  expect(JSON.parse(maskedRecord({ products: [{ id: 'f-1', name: 'h100', name_of: 'x' }] }))).toEqual({
    products: [{ id: 'f-1', name: 'h100', name_of: '•••' }],
  })
  expect(maskedRecord('a secret')).toBe('"•••"')
  expect(maskedRecord({ name: ['a secret'], id: { id: 'another' } })).not.toContain('another')
})

it('text of undescribed fields appears neither in the text of the record nor under “More”', () => {
  fc.assert(
    fc.property(undescribed(canary), (fields) => {
      expect(maskedRecord(withFields(machine, fields))).not.toContain(canary)
      expect(JSON.stringify(shownFields(Object.entries(fields)))).not.toContain(canary)
    }),
    { numRuns: 500 },
  )
})
