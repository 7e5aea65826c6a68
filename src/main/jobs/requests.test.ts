import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { scriptedLeases } from '../../../test/fixtures/scripted-leases'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import type { ExecOutcome } from '../ssh/client/transport'
import { createJobRequests } from './requests'

/** Requests over a connection on which each script ends with `outcome`. */
function requestsTo(outcome: ExecOutcome) {
  const sshMachines = scriptedLeases(() => outcome)
  sshMachines.follow({ kind: 'connected' })
  return createJobRequests(
    {
      machine: () => machine({ id: 'm1', address: '192.0.2.1' }),
      sshMachines,
      clock: fakeClock(1_795_269_600),
    },
    new AbortController().signal,
  )
}

it('a command whose start was not answered may run', async () => {
  const { begin } = requestsTo({ kind: 'timed-out' })
  expect(await begin(account, 'm1', { kind: 'command', command: 'make' })).toMatchObject({
    kind: 'stopped',
    state: { kind: 'timed-out', mayRun: true },
  })
  const watched = await begin(account, 'm1', { kind: 'process', pid: 42 })
  expect(watched).toMatchObject({ kind: 'stopped' })
  expect(watched).not.toHaveProperty('state.mayRun')
  const slow = requestsTo({ kind: 'timed-out', isLogin: true })
  expect(await slow.begin(account, 'm1', { kind: 'command', command: 'make' })).toMatchObject({
    state: { beforeStart: true },
  })
})
