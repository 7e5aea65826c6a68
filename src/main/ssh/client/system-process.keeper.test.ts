import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { openConnection } from './connection'
import { option, startKeeper } from './system-process'
import { reasonIn, refusalIn } from './system-refusal'

const { signal } = new AbortController()

/** Processes whose arguments contain this text. */
const processesWith = (text: string): readonly string[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((args) => args.includes(text))

describeWith(['sshd', 'ssh'], 'the connection that the system’s ssh keeps', () => {
  it.each([
    ['forces SFTP', { ForceCommand: 'internal-sftp' }],
    ['runs another command in place of a shell', { ForceCommand: 'exec sleep 600' }],
  ])('needs no command on a machine that %s', async (_what, set) => {
    const { target } = await sshdTarget(set, 'ssh')
    const outcome = await openConnection(target, signal)
    if (outcome.kind !== 'connected') expect.fail(JSON.stringify(outcome))
    const { connection } = outcome
    onTestFinished(() => connection.close())
    const stream = await connection.sftp()
    if (set.ForceCommand !== 'internal-sftp') return void stream.destroy()
    // SSH_FXP_INIT, version 3; answered with SSH_FXP_VERSION.
    stream.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]))
    const [answer]: unknown[] = await once(stream, 'data')
    expect(Buffer.isBuffer(answer) && [...answer.subarray(4, 9)]).toEqual([2, 0, 0, 0, 3])
    stream.destroy()
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with the application, also by %s', async (how) => {
    const { target } = await sshdTarget({}, 'ssh')
    const ssh = target.system?.ssh ?? expect.fail()
    const socket = join(temporaryFolder(), 'socket')
    const options = [...option('ControlMaster', 'yes'), ...option('ControlPath', socket)]
    const own = startKeeper(ssh, options)
    await expect.poll(() => existsSync(socket), { timeout: 20_000 }).toBe(true)
    own.stdin.end()
    await once(own, 'close')
    expect(processesWith(socket)).toEqual([])

    const [file = '', ...args] = own.spawnargs
    const script = `require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, { detached: true }); setInterval(() => {}, 1000)`
    const application = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    await expect.poll(() => existsSync(socket), { timeout: 20_000 }).toBe(true)
    application.kill(how)
    await expect.poll(() => processesWith(socket), { timeout: 20_000 }).toEqual([])
  })
})

describe('the reason of a failed sign-in by ssh', () => {
  // As OpenSSH 10.1 warns (sshconnect2.c, warn_nonpq_kex).
  const warnings = [
    '** WARNING: connection is not using a post-quantum key exchange algorithm.',
    '** This session may be vulnerable to "store now, decrypt later" attacks.',
    '** The server may need to be upgraded. See https://openssh.com/pq.html',
    '',
  ].join('\r\n')

  it('is never a warning', () => {
    expect(reasonIn(`ssh: connect to host h port 22: Connection refused\r\n${warnings}`)).toBe('ECONNREFUSED')
    expect(reasonIn(warnings)).toBe('ECONNRESET')
    expect(refusalIn(`u@h: Permission denied (publickey).\r\n${warnings}`)).toEqual({ kind: 'key-refused' })
    expect(refusalIn(`${warnings}Connection reset by 10.0.0.5 port 22\r\n`)).toMatchObject({
      reason: 'ECONNRESET',
    })
  })
})
