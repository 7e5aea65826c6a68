import type { Duplex } from 'node:stream'
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
    'whose start-up file prints does not change the output of commands: %s',
    async (transport) => {
      const connection = await signedIn('/bin/bash', { files: { '.bashrc': greeting }, transport })
      expect(await connection.exec('echo out; echo err >&2')).toMatchObject({
        kind: 'finished',
        stdout: 'out\n',
        stderr: 'err\n',
        status: 0,
        loginOutput: expect.stringMatching(/^hello\n[^]*stty: not a terminal$/),
      })
      expect(await ran(connection, 'echo out; echo err >&2')).toEqual({
        stdout: 'out\n',
        stderr: 'err\n',
        status: 0,
        signal: null,
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

  it.each(transports)('that a start-up file replaces never begins the command: %s', async (transport) => {
    for (const shell of ['fish', 'zsh']) {
      const connection = await signedIn('/bin/bash', { files: { '.bashrc': `exec ${shell}\n` }, transport })
      expect(await connection.exec('true')).toEqual({ kind: 'not-begun', why: 'refused', said: '' })
    }
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

describeWith(['sshd', 'ssh'], 'a background process that holds the output of the login', () => {
  const answer = { kind: 'finished', stdout: 'out\n', stderr: 'err\n', status: 3 }
  // Longer than the time limit of a script.
  const job = 'sleep 90 &\n'

  it.each(transports)('does not delay the end of a script: %s', async (transport) => {
    const connection = await signedIn('/bin/bash', { files: { '.bashrc': job }, transport })
    const script = 'echo out; echo err >&2; exit 3'
    for (let time = 0; time < 3; time += 1) expect(await connection.exec(script)).toEqual(answer)
    const printed = { stdout: '', stderr: '' }
    const output = {
      stdout: (data: Buffer): void => void (printed.stdout += data.toString()),
      stderr: (data: Buffer): void => void (printed.stderr += data.toString()),
    }
    expect(await connection.run(script, output, signal, 'sh')).toEqual({ status: 3, signal: null })
    expect(printed).toEqual({ stdout: 'out\n', stderr: 'err\n' })
  })

  it.each(transports)('may be started by the script, whose output arrives whole: %s', async (transport) => {
    const connection = await signedIn('/bin/bash', { transport })
    const script = `${job} head -c 60000 /dev/zero | tr '\\0' x`
    const outcome = await connection.exec(script)
    expect(outcome).toEqual({ kind: 'finished', stdout: 'x'.repeat(60_000), stderr: '', status: 0 })
    expect(await connection.exec(`${job} echo out; echo err >&2; exit 3`)).toEqual(answer)
  })

  it.each(transports)('does not delay the end of a piped script: %s', async (transport) => {
    const connection = await signedIn('/bin/bash', { files: { '.bashrc': job }, transport })
    const printed = async (stream: Duplex) => String(await stream.toArray().then((all) => Buffer.concat(all)))
    const down = await connection.pipe(`head -c 3000000 /dev/zero | tr '\\0' w; exit 3`)
    down.stream.end()
    expect(await printed(down.stream)).toBe('w'.repeat(3_000_000))
    expect(await down.exit).toEqual({ status: 3, signal: null })
    // The input stays open, as after an upload that the machine ends early.
    const up = await connection.pipe('head -c 5')
    up.stream.write('input and more')
    expect(await printed(up.stream)).toBe('input')
    expect(await up.exit).toEqual({ status: 0, signal: null })
  })

  it('leaves a user’s command open, as ssh does', async () => {
    const connection = await signedIn('/bin/bash')
    const all = await ran(connection, '(sleep 1; echo late) & echo out; exit 3')
    expect(all).toEqual({ stdout: 'out\nlate\n', stderr: '', status: 3, signal: null })
  })

  it('does not delay the reason if the login ends before the command', async () => {
    const files = { '.bashrc': `${job} echo closed; exit 1\n` }
    const connection = await signedIn('/bin/bash', { files })
    const refused = { kind: 'not-begun', why: 'refused', said: 'closed' }
    expect(await connection.exec('true')).toEqual(refused)
    await expect(ran(connection, 'true')).rejects.toMatchObject({ kind: 'refused', message: 'closed' })
  })
})

describeWith(['sshd', 'ssh'], 'a machine that opens one session at a time', () => {
  it.each(['ssh2', 'ssh'] as const)('runs one command after another: %s', async (transport) => {
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
