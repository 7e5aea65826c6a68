import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemSsh } from '../../../../test/fixtures/system-ssh'
import {
  fingerprintBySsh,
  freePort,
  makeKey,
  startSshd,
  temporaryFolder,
} from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { connectionLimits } from './target'
import { fingerprint, type HostKey } from './host-key'
import { keysIn } from './known-hosts'
import { commandOf, pipeOf, streamOf } from './system-channels'
import { openSystemConnection } from './system-ssh'
import { ChannelError } from './transport'

const { signal } = new AbortController()
const otherKey = [
  { type: 'ssh-ed25519', blob: 'AAAAC3NzaC1lZDI1NTE5AAAAIOvHQ7LsKvCJCqPUmtjudK+P/QdSMEGg1Y8tuJMzauyJ' },
]

async function server(set: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [hostKey, identityFile] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'id'))]
  const { user, port, close, log } = await startSshd({
    hostKeys: [hostKey],
    admits: identityFile,
    command: 'none',
    set,
  })
  onTestFinished(() => close())
  return { folder, hostKey, to: { user, port, identityFile }, log }
}

describeWith(['sshd', 'ssh'], 'the system’s ssh', () => {
  it('lends a machine no agent, even if terminals do', async () => {
    const { folder, hostKey, to } = await server()
    const SSH_AUTH_SOCK = join(folder, 'agent')
    const agent = spawn('ssh-agent', ['-D', '-a', SSH_AUTH_SOCK])
    onTestFinished(() => void agent.kill())
    await once(agent.stdout, 'data')
    const known = keysIn(`m1 ${readFileSync(`${hostKey}.pub`, 'utf8')}`, 'm1')
    const lends = systemSsh(folder, { ...to, known, more: ['-o', 'ForwardAgent=yes'] })
    const env = { ...process.env, SSH_AUTH_SOCK }
    const outcome = await openSystemConnection({ ...lends, env }, known, signal, connectionLimits)
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    const { connection } = outcome
    expect(await connection.exec('echo "agent: $SSH_AUTH_SOCK"')).toMatchObject({ stdout: 'agent: \n' })
    connection.close()
  })

  it('reports the reason of a refused forward, not of an earlier one', async () => {
    const closed = await freePort()
    const { folder, hostKey, to } = await server({ PermitOpen: `127.0.0.1:${String(closed)}` })
    const known = keysIn(`m1 ${readFileSync(`${hostKey}.pub`, 'utf8')}`, 'm1')
    const outcome = await openSystemConnection(
      systemSsh(folder, { ...to, known }),
      known,
      signal,
      connectionLimits,
    )
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    const { connection } = outcome
    onTestFinished(() => connection.close())
    for (let times = 0; times < 3; times += 1) {
      await expect(connection.forward('127.0.0.1', to.port)).rejects.toMatchObject({ isProhibited: true })
      const refused = { isProhibited: false, message: expect.stringContaining('Connection refused') }
      await expect(connection.forward('127.0.0.1', closed)).rejects.toMatchObject(refused)
    }
  })

  it('with a quiet configuration still reports a changed host key', async () => {
    const { folder, hostKey, to } = await server()
    const quiet = { ...to, known: otherKey, more: ['-o', 'LogLevel=QUIET'] }
    const outcome = await openSystemConnection(systemSsh(folder, quiet), otherKey, signal, connectionLimits)
    if (outcome.kind !== 'host-key-refused') return expect.fail(JSON.stringify(outcome))
    expect(fingerprint(outcome.key)).toBe(fingerprintBySsh(hostKey))
  })

  it.each(['Permission denied (publickey).', 'kex_exchange_identification: closed'])(
    'reports a changed host key after a jump host has printed: %s',
    async (banner) => {
      const { folder, hostKey, to } = await server()
      const file = join(folder, 'banner')
      writeFileSync(file, `${banner}\n`)
      const jump = await server({ AllowTcpForwarding: 'yes', Banner: file })
      const proxy = [
        'ssh',
        '-F',
        'none',
        '-i',
        jump.to.identityFile,
        '-p',
        String(jump.to.port),
        '-W',
        '%h:%p',
        '-o',
        'StrictHostKeyChecking=no',
        '-o',
        'UserKnownHostsFile=/dev/null',
        '127.0.0.1',
      ]
      const more = ['-o', `ProxyCommand=${proxy.join(' ')}`]
      const ssh = systemSsh(folder, { ...to, known: otherKey, more })
      const outcome = await openSystemConnection(ssh, otherKey, signal, connectionLimits)
      if (outcome.kind !== 'host-key-refused') return expect.fail(JSON.stringify(outcome))
      expect(fingerprint(outcome.key)).toBe(fingerprintBySsh(hostKey))
    },
  )
})

describeWith(['sshd', 'ssh'], 'the system’s ssh without a control socket, as on Windows', () => {
  it('signs in for each channel without questions, so an encrypted key is refused at once', async () => {
    const { folder, hostKey, to, log } = await server()
    const known = keysIn(`m1 ${readFileSync(`${hostKey}.pub`, 'utf8')}`, 'm1')
    const ssh = { ...systemSsh(folder, { ...to, known }), shares: false }
    const outcome = await openSystemConnection(ssh, known, signal, connectionLimits)
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    const { connection } = outcome
    onTestFinished(() => connection.close())
    const signIns = () => log().match(/Accepted publickey/g)?.length ?? 0
    for (const count of [2, 3]) {
      expect(await connection.exec('echo in')).toMatchObject({ stdout: 'in\n', status: 0 })
      expect(signIns()).toBe(count)
    }
    execFileSync('ssh-keygen', ['-q', '-p', '-N', 'a passphrase', '-f', to.identityFile])
    expect(await connection.exec('echo in')).toMatchObject({ stdout: '', status: null })
    expect(await openSystemConnection(ssh, known, signal, connectionLimits)).toEqual({ kind: 'key-refused' })
  })
})

describeWith(['ssh'], 'a proxy that outlives its ssh', () => {
  it.each<[string, readonly HostKey[]]>([
    ['asking for the host key', []],
    ['signing in', otherKey],
  ])('does not delay the end of %s', async (_what, known) => {
    const folder = temporaryFolder()
    const file = join(folder, 'pid')
    const pid = (): number => (existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : NaN)
    onTestFinished(() => {
      if (pid() > 1) process.kill(pid())
      rmSync(folder, { recursive: true })
    })
    const more = ['-o', `ProxyCommand=sh -c 'echo $$ > ${file}; exec sleep 600'`]
    const to = { user: 'ubuntu', port: 22, identityFile: join(folder, 'id'), known, more }
    const ending = new AbortController()
    const outcome = openSystemConnection(systemSsh(folder, to), known, ending.signal, connectionLimits)
    await expect.poll(pid, { timeout: 20_000 }).toBeGreaterThan(1)
    ending.abort()
    expect(await outcome).toMatchObject({ kind: 'not-reached' })
  })
})

it('a computer without a temporary folder connects to nothing and reports the reason', async () => {
  const folder = temporaryFolder()
  vi.stubEnv('TMPDIR', '/nowhere at all')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const ssh = systemSsh(folder, { user: 'nobody', port: 1, identityFile: null, known: [] })
  const outcome = await openSystemConnection(ssh, [], signal, connectionLimits)
  expect(outcome).toMatchObject({ kind: 'not-reached', reason: expect.stringContaining('ENOENT') })
})

const standing = { output: () => '', isConnected: () => Promise.resolve(true) }

it('a channel is open once ssh reports it, after any amount of output', async () => {
  const says = 'yes "debug2: words" | head -c 400000 >&2; echo "debug2: channel 0: open confirm" >&2; cat'
  const stream = await streamOf(() => spawn('sh', ['-c', says]), signal, standing)
  stream.write('on')
  const [data]: unknown[] = await once(stream, 'data')
  expect(String(data)).toBe('on')
  stream.destroy()
})

describe('a connection whose end is noticed after the end of its channels', () => {
  const said = 'ssh: the other side is gone'
  const setUp = () => {
    const gone = new AbortController()
    const start = () => {
      const child = spawn('sh', ['-c', `echo '${said}' >&2; exit 255`])
      child.once('close', () => setImmediate(() => gone.abort(new ChannelError('lost', 'connection lost'))))
      return child
    }
    return { gone: gone.signal, start }
  }
  const lost = { kind: 'lost', message: 'connection lost' }

  it('fails a command', async () => {
    const { gone, start } = setUp()
    const output = { stdout: () => undefined, stderr: () => undefined }
    await expect(commandOf(start, output, gone, signal)).rejects.toMatchObject(lost)
  })

  it('fails a piped command', async () => {
    const { gone, start } = setUp()
    const { stream, exit } = await pipeOf(start, 'true', gone)
    const failed = once(stream, 'error')
    expect(await exit).toEqual({ status: null, signal: null })
    expect(await failed).toMatchObject([lost])
  })

  it('fails a channel before it is open', async () => {
    const { gone, start } = setUp()
    await expect(streamOf(start, gone, standing)).rejects.toMatchObject(lost)
  })
})

it('a command that exits with 255 reports it while the connection is open', async () => {
  const output = { stdout: () => undefined, stderr: () => undefined }
  const start = () => spawn('sh', ['-c', 'exit 255'])
  const { signal: stands } = new AbortController()
  expect(await commandOf(start, output, stands, signal)).toEqual({ status: null, signal: null })
})
