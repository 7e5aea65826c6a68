// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { account, machine } from '../../../../../test/gallery/world'
import { useMachineMenu } from './menu-items'

const running = machine({ id: 'm-1', status: 'running' })
const stopped = machine({ id: 'm-2', status: 'stopped' })
const creating = machine({ id: 'm-3', status: 'creating' })

beforeEach(() => setActivePinia(createPinia()))

it.each([
  ['start', [running], 'Already running.'],
  ['start', [running, stopped], undefined],
  ['start', [running, creating], 'Not available in this state (Running, Creating).'],
  ['stop', [stopped], 'Already stopped.'],
  ['stop', [creating], 'Not available in this state (Creating).'],
  ['reboot', [stopped], 'Not available in this state (Stopped).'],
  ['delete', [creating], undefined],
] as const)('%s for %j is disabled with the reason %s', (action, machines, reason) => {
  const item = useMachineMenu()
    .actions(account, machines)
    .find(({ id }) => id === action)
  expect(item).toBeDefined()
  expect(item?.disabledReason).toBe(reason)
})
