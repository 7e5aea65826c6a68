import { describe, expect, it } from 'vitest'
import { canDo, machineActions } from './machine-action'

describe('canDo', () => {
  it.each([
    ['running', ['stop', 'reboot', 'delete']],
    ['stopped', ['start', 'delete']],
    ['stopping', ['delete']],
    ['error', ['start', 'stop', 'reboot', 'delete']],
    ['Migrating_v2', ['start', 'stop', 'reboot', 'delete']],
    [null, ['start', 'stop', 'reboot', 'delete']],
  ])('offers the right actions on a machine that is %s', (status, actions) => {
    expect(machineActions.filter((action) => canDo(action, { status }))).toEqual(actions)
  })
})
