import { describe, expect, it } from 'vitest'
import { sshDisabledReason } from './ssh-disabled-reason'

describe('whether SSH is offered', () => {
  it.each([
    ['running', '10.0.0.1', null],
    ['Stopped', '10.0.0.1', 'stopped'],
    ['shutoff', null, 'stopped'],
    ['creating', '10.0.0.1', 'moving'],
    ['deleting', '10.0.0.1', 'moving'],
    ['running', null, 'no-address'],
    ['error', '10.0.0.1', null],
    ['Migrating_v2', '10.0.0.1', null],
    [null, '10.0.0.1', null],
    [null, null, 'no-address'],
  ])('for a machine that is %s at %s', (status, address, disabledReason) => {
    expect(sshDisabledReason({ status, address })).toBe(disabledReason)
  })

  it('never for an instance that is gone', () => {
    expect(sshDisabledReason({ status: 'running', address: '10.0.0.1', presence: 'gone' })).toBe('gone')
  })
})
