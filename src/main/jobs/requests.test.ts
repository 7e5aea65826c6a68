import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import type { ExecOutcome, SshConnection } from '../ssh/client/transport'
import type { LeaseUse } from '../ssh/machines/lease'
import { createJobRequests } from './requests'

/** Requests over a connection on which each script ends with `outcome`. */
function requestsTo(outcome: ExecOutcome) {
  const connection = { exec: () => Promise.resolve(outcome) } as unknown as SshConnection
  return createJobRequests(
    {
      machine: () => machine({ id: 'm1', address: '192.0.2.1' }),
      sshMachines: {
        acquire: ({ opened }: LeaseUse) => {
          opened(connection)
          return {
            link: () => ({ kind: 'connected' }),
            connection: () => connection,
            target: () => undefined,
            update: () => undefined,
            retry: () => undefined,
            trust: () => Promise.resolve(false),
            release: () => undefined,
          }
        },
      },
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
  expect(watched.kind === 'stopped' && watched.state).not.toHaveProperty('mayRun')
  const slow = requestsTo({ kind: 'timed-out', isLogin: true })
  expect(await slow.begin(account, 'm1', { kind: 'command', command: 'make' })).toMatchObject({
    state: { beforeStart: true },
  })
})
