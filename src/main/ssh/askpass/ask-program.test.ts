import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { loadPty } from '../../terminals/pty'
import { createAskProgram } from './ask-program'

/** The application, played by a line of the shell. */
function setUp(application: string, env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder('wheelhouse ask ')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = { file: '/bin/sh', args: ['-c', application] }
  return { folder, program: createAskProgram({ folder, platform: process.platform, env, program }) }
}

/** Runs the script in a terminal; returns the answer for ssh and the terminal's output. */
async function askIn(application: string, question: string) {
  const { program } = setUp(application)
  const start = (await loadPty()) ?? expect.fail('no pseudo-terminals')
  let text = ''
  const pty = start(
    {
      file: '/bin/sh',
      folder: '/',
      columns: 80,
      rows: 24,
      args: ['-c', `answer=$("$SSH_ASKPASS" '${question}') && echo "<$answer>" || echo none`],
      env: { PATH: process.env['PATH'], ...(await program.environment()) },
    },
    { output: (bytes) => (text += Buffer.from(bytes).toString()), ended: () => undefined },
  )
  onTestFinished(() => pty.kill())
  const shows = (expected: string) => expect.poll(() => text).toBe(expected)
  return { pty, shows }
}

describeWith(['ssh'], 'the askpass script', () => {
  it('asks in the terminal without echo if the application does not listen', async () => {
    const { pty, shows } = await askIn('exit 2', 'Password: ')
    await shows('Password: ')
    await pty.write('open \\ sesame\r')
    await shows('Password: \r\n<open \\ sesame>\r\n')
  })

  it('does not repeat a question that the user cancelled', async () => {
    const { shows } = await askIn('exit 1', 'Password: ')
    await shows('none\r\n')
  })

  it('is used in the application’s terminals, and the user’s own program elsewhere', async () => {
    const { folder, program } = setUp('exit 2')
    const chosen = { SSH_ASKPASS_REQUIRE: 'force' }
    expect(await setUp('', { ...chosen, SSH_ASKPASS: '/usr/bin/theirs' }).program.asks('ssh')).toBe('own')
    const inOurs = createAskProgram({
      folder,
      platform: process.platform,
      program: { file: '/bin/sh', args: [] },
      env: { ...process.env, ...chosen, SSH_ASKPASS: (await program.environment())['SSH_ASKPASS'] },
    })
    expect(await inOurs.asks('ssh')).toBe('window')
  })

  it('is used by an ssh whose version was read only the second time', async () => {
    const { folder, program } = setUp('exit 2', process.env)
    const ssh = join(folder, 'ssh')
    expect(await program.asks(ssh)).toBe('terminal')
    writeFileSync(ssh, '#!/bin/sh\necho OpenSSH_9.9p1, LibreSSL 4.0 >&2\n', { mode: 0o700 })
    expect(await program.asks(ssh)).toBe('window')
  })

  it('is not used by an ssh before 8.5, which asks in the terminal', async () => {
    const { folder, program } = setUp('exit 2', process.env)
    const ssh = join(folder, 'ssh')
    writeFileSync(ssh, '#!/bin/sh\necho OpenSSH_8.4p1 Debian-5, OpenSSL 1.1.1 >&2\n', { mode: 0o700 })
    expect(await program.asks(ssh)).toBe('terminal')
  })
})
