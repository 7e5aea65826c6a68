import { describe, expect, it, onTestFinished } from 'vitest'
import { signedIn } from '../../../../test/fixtures/login-shell'
import { describeWith, findProgram } from '../../../../test/fixtures/system-requirements'
import { transports } from '../../../../test/fixtures/system-ssh'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { whyNotBegun } from './commands'
import { openConnection } from './connection'
import type { SshConnection } from './transport'

const { signal } = new AbortController()

/** Runs a user's command. Resolves to its output and exit. */
async function ran(connection: SshConnection, command: string) {
  const printed = { stdout: '', stderr: '' }
  const output = {
    stdout: (data: Buffer): void => void (printed.stdout += data.toString()),
    stderr: (data: Buffer): void => void (printed.stderr += data.toString()),
  }
  const exit = await connection.run(command, output, signal)
  return { ...printed, ...exit }
}

async function piped(connection: SshConnection, command: string): Promise<string> {
  const { stream } = await connection.pipe(command)
  stream.end('input')
  let text = ''
  for await (const data of stream) text += String(data)
  return text
}

const greeting = 'echo hello; printf "\\033]0;title\\007"; echo "stty: not a terminal" >&2\n'

describeWith(['sshd', 'ssh'], 'a login shell', () => {
  it.each(transports)(
    'whose start-up file prints leaves the output of commands clean: %s',
    async (transport) => {
      const connection = await signedIn('/bin/bash', { files: { '.bashrc': greeting }, transport })
      expect(await connection.exec('echo out; echo err >&2')).toMatchObject({
        ...{ kind: 'finished', stdout: 'out\n', stderr: 'err\n', status: 0 },
        loginOutput: expect.stringMatching(/^hello\n[^]*stty: not a terminal$/),
      })
      expect(await ran(connection, 'echo out; echo err >&2')).toEqual({
        ...{ stdout: 'out\n', stderr: 'err\n', status: 0, signal: null },
      })
      expect(await piped(connection, 'tr a-z A-Z')).toBe('INPUT')
    },
  )

  it.each(transports)('that is slow differs from a command that hangs: %s', async (transport) => {
    const files = { '.bashrc': 'echo wait; exec sleep 60\n' }
    const slow = await signedIn('/bin/bash', { files, transport, seconds: 3 })
    expect(await slow.exec('true')).toEqual({ kind: 'timed-out', isLogin: true, loginOutput: 'wait' })
    const hanging = await signedIn('/bin/bash', { transport, seconds: 3 })
    expect(await hanging.exec('sleep 60')).toEqual({ kind: 'timed-out' })
  })

  it.each(['ssh2', 'ssh'] as const)('that runs no other shell is named: %s', async (transport) => {
    const restricted = await signedIn(findProgram('rbash') ?? '/bin/rbash', { transport })
    expect(await restricted.exec('true')).toMatchObject({ kind: 'not-begun', why: 'restricted' })
    const refused = { kind: 'refused', notBegun: 'restricted' }
    await expect(ran(restricted, 'true')).rejects.toMatchObject(refused)
    await expect(piped(restricted, 'true')).rejects.toMatchObject({ kind: 'refused' })
    const closed = await signedIn('/usr/sbin/nologin', { transport })
    const said = 'This account is currently not available.'
    expect(await closed.exec('true')).toEqual({ kind: 'not-begun', why: 'refused', said })
    await expect(ran(closed, 'true')).rejects.toMatchObject({ kind: 'refused', message: said })
    await expect(piped(closed, 'true')).rejects.toMatchObject({ kind: 'refused', message: said })
  })
})

describeWith(['sshd', 'ssh'], 'a machine that opens one session at a time', () => {
  it.each(['ssh2', 'ssh'] as const)('answers one command after the other: %s', async (transport) => {
    const { target } = await sshdTarget({ MaxSessions: '1' }, transport)
    const outcome = await openConnection(target, signal)
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    const { connection } = outcome
    onTestFinished(() => connection.close())
    for (let time = 0; time < 10; time += 1) {
      expect(await connection.exec('echo out')).toMatchObject({ kind: 'finished', stdout: 'out\n' })
      expect(await ran(connection, 'echo out')).toMatchObject({ stdout: 'out\n', status: 0 })
      expect(await piped(connection, 'cat')).toBe('input')
    }
  })
})

describe('a login shell that starts no /bin/sh', () => {
  // Messages of Windows 11 (cmd, PowerShell 5.1), git-shell 2.39, bash 5.2 and zsh 5.9.
  it.each([
    [
      "'exec' is not recognized as an internal or external command,\r\noperable program or batch file.",
      'no-shell',
    ],
    ['Le terme «exec» n’est pas reconnu comme nom d’applet de commande', 'no-shell'],
    ["The term 'exec' is not recognized as the name of a cmdlet", 'no-shell'],
    ["fatal: unrecognized command 'exec /bin/sh -c 'eval'", 'refused'],
    ['Access is restricted. All use is logged.', 'refused'],
    ['rbash: line 1: exec: restricted', 'restricted'],
    ['zsh:1: /bin/sh: restricted', 'restricted'],
    ['', 'refused'],
  ])('and prints %j', (printed, why) => expect(whyNotBegun(printed)).toBe(why))
})
