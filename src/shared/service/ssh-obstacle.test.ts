import { describe, expect, it } from 'vitest'
import { sshObstacle } from './ssh-obstacle'

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
  ])('to a machine that is %s at %s', (status, address, obstacle) => {
    expect(sshObstacle({ status, address })).toBe(obstacle)
  })

  it('never to an instance that is gone', () => {
    expect(sshObstacle({ status: 'running', address: '10.0.0.1', presence: 'gone' })).toBe('gone')
  })
})
