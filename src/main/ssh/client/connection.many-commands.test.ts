import { expect, it, onTestFinished } from 'vitest'
import type { Transport } from '../../../../test/fixtures/system-ssh'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { openInteractive } from './connection'
import type { SshConnection } from './transport'

/** Collects the warnings that Node prints during a test. */
function nodeWarnings(): readonly string[] {
  const warnings: string[] = []
  const note = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  return warnings
}

/** A connection to a real sshd that allows many sessions. */
async function connected(transport: Transport): Promise<SshConnection> {
  const { target } = await sshdTarget({ MaxSessions: '100' }, transport)
  const outcome = await openInteractive(target, new AbortController().signal)
  if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
  onTestFinished(() => outcome.connection.close())
  return outcome.connection
}

const twelve = <Value>(start: () => Promise<Value>): Promise<readonly Value[]> =>
  Promise.all(Array.from({ length: 12 }, start))
const noOutput = { stdout: () => undefined, stderr: () => undefined }

describeWith(['sshd', 'ssh'], 'more than ten commands on one connection', () => {
  it.each<Transport>(['ssh2', 'ssh'])('print no warning of Node: %s', async (transport) => {
    const warnings = nodeWarnings()
    const connection = await connected(transport)
    const pipes = await twelve(() => connection.pipe('cat'))
    for (const { stream } of pipes) stream.on('error', () => undefined).end()
    await Promise.all(pipes.map(({ exit }) => exit))
    expect(warnings).toEqual([])
  })

  it.each<Transport>(['ssh2', 'ssh'])(
    'that share a signal print no warning of Node, and end with it: %s',
    async (transport) => {
      const warnings = nodeWarnings()
      const connection = await connected(transport)
      const ending = new AbortController()
      const { signal } = ending
      const outcomes = await twelve(() => connection.exec('true', signal))
      expect(outcomes).toMatchObject(outcomes.map(() => ({ kind: 'finished', status: 0 })))
      const exits = await twelve(() => connection.run('true', noOutput, signal))
      expect(exits).toEqual(exits.map(() => ({ status: 0, signal: null })))
      const streams = [
        ...(await twelve(() => connection.pipe('cat', signal))).map(({ stream }) => stream),
        ...(await twelve(() => connection.sftp(signal))),
      ]
      for (const stream of streams) stream.on('error', () => undefined)
      ending.abort(new Error('cancelled'))
      await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true)
      // Node reports a warning in a later turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      expect(warnings).toEqual([])
    },
  )
})
