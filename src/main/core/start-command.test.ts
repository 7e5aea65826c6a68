import { expect, it } from 'vitest'
import type { CommandState } from '#shared/bridge/command'
import { startCommand } from './start-command'

const unreported = (error: unknown) => expect.fail(String(error))

it.each<CommandState>([
  { kind: 'lost' },
  { kind: 'exited', code: 0 },
  { kind: 'signalled', signal: null },
  { kind: 'timed-out', seconds: 20, mayRun: true },
  { kind: 'cancelled', mayRun: true },
])('a command may run if the machine did not report its start: $kind', async (state) => {
  const outcome = await startCommand(() => Promise.resolve({ kind: 'stopped', state }), unreported)
  expect(outcome).toEqual({ kind: 'unknown' })
})

it.each<CommandState>([
  { kind: 'timed-out', seconds: 20, beforeStart: true },
  { kind: 'not-reached', reason: 'ECONNREFUSED' },
  { kind: 'refused', reason: 'no exec' },
  { kind: 'unavailable', why: 'stopped' },
])('a command that was never sent does not run: $kind', async (state) => {
  const stopped = { kind: 'stopped', state } as const
  expect(await startCommand(() => Promise.resolve(stopped), unreported)).toBe(stopped)
})

it('a command whose job could not be stored may run, and the error is reported', async () => {
  const errors: unknown[] = []
  const full = new Error('ENOSPC')
  const outcome = await startCommand(
    () => Promise.reject(full),
    (error) => errors.push(error),
  )
  expect(outcome).toEqual({ kind: 'unknown' })
  expect(errors).toEqual([full])
})
