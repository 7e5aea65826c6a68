import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeKey } from '../../src/sandbox/ssh/fixtures/machines'
import { deep } from '../fixtures/counts'
import { startSshFaultServer } from './ssh/fault-server'
import { runSshCell } from './ssh/ssh-cell'
import { sshFaults } from './ssh/ssh-faults'

const keys = Array.from({ length: 6 }, (_, index) => {
  const key = ssh2.utils.parseKey(makeKey().private)
  if (key instanceof Error) throw key
  const username = 'ubuntu'
  return { name: `key ${String(index + 1)}`, method: { type: 'publickey', username, key } } as const
})

/** A sample of them in `npm test`. */
const faults = Object.entries(sshFaults).filter((_, index) => index % deep(4, 1) === 0)

describe('telemetry and Connect over SSH', () => {
  // The time limit of the test ends an endless attempt.
  it.each(faults)(
    'end as expected and recover: %s',
    async (_name, fault) => {
      const server = await startSshFaultServer()
      onTestFinished(server.close)
      const { problems } = await runSshCell(server, fault, keys)
      expect(problems).toEqual([])
    },
    180_000,
  )
})
