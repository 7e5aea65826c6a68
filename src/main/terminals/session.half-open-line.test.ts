import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deep } from '../../../test/fixtures/counts'
import { realTerminals } from '../../../test/fixtures/real-terminals'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { breakableLine } from '../../../test/fixtures/tunnels-harness'

const { serve, openTerminal } = realTerminals()

/** Seconds between ssh's keep-alive requests; `npm run test:deep` uses the interval of the application. */
const interval = deep(1, 5)

/** Returns an environment whose ssh uses this interval: the first value of an option counts. */
function impatient(): NodeJS.ProcessEnv {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ssh')
  const ssh = findProgram('ssh') ?? expect.fail('no ssh')
  writeFileSync(file, `#!/bin/sh\nexec ${ssh} -o ServerAliveInterval=${String(interval)} "$@"\n`)
  chmodSync(file, 0o755)
  return { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
}

describeWith(['sshd', 'ssh'], 'a terminal inside on a silent connection', () => {
  it('reports that the machine does not respond, retries, and reconnects', async () => {
    const server = await serve()
    const line = await breakableLine(server.port)
    const terminal = await openTerminal({ user: server.user, port: line.port }, {}, impatient())
    expect(terminal.args).toEqual(expect.arrayContaining(['ServerAliveInterval=5', 'ServerAliveCountMax=3']))
    terminal.type('echo $((6 * 7))\r')
    await terminal.shows('42\r\n')
    terminal.clock.advance(60)

    line.hold(true)
    terminal.type('echo $((60 * 7))\r')
    await terminal.is({ kind: 'waiting', attempts: 1 })
    await terminal.shows('not responding')
    line.down(true)
    terminal.clock.advance(2)
    await terminal.is({ kind: 'waiting', attempts: 2 })
    line.hold(false)
    line.down(false)
    terminal.clock.advance(5)
    await terminal.is({ kind: 'running' })
    terminal.type('echo $((7 * 7))\r')
    await terminal.shows('49\r\n')
  })
})
