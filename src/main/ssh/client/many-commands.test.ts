import { expect, it, onTestFinished } from 'vitest'
import type { Transport } from '../../../../test/fixtures/system-ssh'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { openInteractive } from './connection'

describeWith(['sshd', 'ssh'], 'more than ten commands on one connection', () => {
  it.each<Transport>(['ssh2', 'ssh'])('print no warning of Node: %s', async (transport) => {
    const warnings: string[] = []
    const note = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { target } = await sshdTarget({ MaxSessions: '100' }, transport)
    const outcome = await openInteractive(target, new AbortController().signal)
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    const { connection } = outcome
    const pipes = await Promise.all(Array.from({ length: 12 }, () => connection.pipe('cat')))
    for (const { stream } of pipes) stream.on('error', () => undefined).end()
    await Promise.all(pipes.map(({ exit }) => exit))
    connection.close()
    expect(warnings).toEqual([])
  })
})
