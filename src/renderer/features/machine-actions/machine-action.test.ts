import { describe, expect, it } from 'vitest'
import { canDo, machineActions } from './machine-action'

describe('what can be done to a machine', () => {
  it.each([
    ['running', ['stop', 'reboot', 'delete']],
    ['stopped', ['start', 'delete']],
    ['stopping', ['delete']],
    ['error', ['start', 'stop', 'reboot', 'delete']],
    ['Migrating_v2', ['start', 'stop', 'reboot', 'delete']],
    [null, ['start', 'stop', 'reboot', 'delete']],
  ])('that is %s', (status, actions) => {
    expect(machineActions.filter((action) => canDo(action, { status }))).toEqual(actions)
  })
})
