import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import type { SshConnection } from '../ssh/client/transport'
import { measure } from './measure'
import { removeTestFile, scripts } from './scripts'

it('a disk that is too slow for its test ends it after a minute, and the file is removed', async () => {
  const clock = fakeClock(1_000)
  const executed: string[] = []
  const not = (): never => expect.fail('not used')
  const connection: SshConnection = {
    answersInOrder: true,
    onLost: () => () => undefined,
    exec: (script) => {
      executed.push(script)
      const stdout = script === scripts.system ? '== disk\n/dev/vda1 100000000 10 99999990 1% /\n' : ''
      return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 0 })
    },
    run: (script, output, signal) => {
      if (script !== scripts.disk) return Promise.resolve({ status: 0, signal: null })
      output.begun?.(42)
      setImmediate(() => clock.advance(60))
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      )
    },
    pipe: not,
    shell: not,
    forward: not,
    sftp: not,
    close: () => undefined,
  }
  const facts = await measure({
    connection,
    clock: { ...clock, monotonic: clock.now },
    signal: new AbortController().signal,
    step: () => undefined,
  })
  expect(facts).toMatchObject({ diskSpeed: null, isTooSlow: true, isTooFull: false })
  expect(executed).toContain('kill -TERM -42 || ! kill -0 42 || exit; echo ended')
  expect(executed.indexOf(removeTestFile)).toBeGreaterThan(executed.indexOf(scripts.kernelLog))
})
