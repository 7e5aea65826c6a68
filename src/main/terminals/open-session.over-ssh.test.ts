import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realTerminals } from '../../../test/fixtures/real-terminals'
import { describeWith } from '../../../test/fixtures/system-requirements'

const { folder, host, otherHost, serve, usedTerminal } = realTerminals()

describeWith(['sshd', 'ssh'], 'a terminal inside, on a real server', () => {
  it('shows the output of the shell, and ends with its code', async () => {
    const terminal = await usedTerminal(await serve())
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toContain('m1.')
    expect(terminal.args, 'notices a lost line').toContain('ServerAliveInterval=5')
    terminal.type('exit 255\r')
    await terminal.is({ kind: 'ended', code: 255 })
  })

  it.each([
    { by: 'the system’s ssh', hasPty: true },
    { by: 'the application’s own client', hasPty: false },
  ])('reconnects to the same server, and to no other, by $by', async (way) => {
    const first = await serve()
    const terminal = await usedTerminal(first, {}, process.env, way)
    await first.close()
    await terminal.is({ kind: 'waiting', attempts: 1 })
    terminal.clock.advance(2)
    await terminal.is({ kind: 'waiting', attempts: 2 })
    const second = await serve(host, first.port)
    terminal.clock.advance(5)
    await terminal.is({ kind: 'running' })
    terminal.type('echo $((60 * 7))\r')
    await terminal.shows('420\r\n')
    terminal.clock.advance(60)
    await second.close()
    await terminal.is({ kind: 'waiting' })
    await serve(otherHost, first.port)
    terminal.clock.advance(5)
    await terminal.is({ kind: 'failed', failure: { kind: 'host-key-changed' } })
  })
})
