import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { noAskpass, noKeys, noTerminals } from '../../../test/fixtures/no-terminals'
import { account, invalid, machine } from '../../../test/fixtures/ssh-harness'
import { freePort, makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { systemSsh } from '../../../test/fixtures/system-ssh'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { openSettings } from '../store/settings'
import { openConnection } from './client/connection'
import { connectionLimits } from './client/target'
import { sshWithTerminals } from '../../../test/fixtures/ssh-with-terminals'
import { sshArguments, typedCommand } from './launcher/ssh-arguments'

const one = { account, machine: 'm1' }

function setUp(username = 'ubuntu', port = 22) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ssh'), { mode: 0o700 })
  const ssh = sshWithTerminals({
    folder: join(folder, 'data'),
    home: folder,
    platform: process.platform,
    env: {},
    terminals: noTerminals,
    askpass: noAskpass,
    keys: noKeys,
    terminal: () => null,
    settings: openSettings(join(folder, 'settings')),
    machine: () => machine({ address: '127.0.0.1', username }),
    defaults: () => ({ port }),
    chooseFile: async () => null,
  })
  onTestFinished(async () => {
    await ssh.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, ssh }
}

describe('the route to a machine', () => {
  it('uses the jump host of the machine, else of the account, and forwards no agent unless that is set', async () => {
    const { ssh } = setUp()
    const read = () => ssh.handlers['ssh.connection'](one)
    expect(await read()).toMatchObject({
      jumpHost: null,
      forwardAgent: false,
      command: 'ssh ubuntu@127.0.0.1',
    })
    await ssh.handlers['ssh.configureAccount']({ account, jumpHost: 'bastion.example.com' })
    expect((await read()).command).toBe('ssh -J ubuntu@bastion.example.com:22 ubuntu@127.0.0.1')
    await ssh.configure(account, 'm1', { jumpHost: ' ada@10.0.0.1:2222 ', forwardAgent: true })
    const { command, settings } = await read()
    expect(command).toBe('ssh -J ada@10.0.0.1:2222 -A ubuntu@127.0.0.1')
    expect(settings).toMatchObject({ jumpHost: 'ada@10.0.0.1:2222', forwardAgent: true })
    await ssh.configure(account, 'm1', { jumpHost: null, forwardAgent: null })
    expect(await read()).toMatchObject({ jumpHost: 'bastion.example.com', forwardAgent: false })
  })

  it('skips the account’s jump host if the machine sets none', async () => {
    const { ssh } = setUp()
    await ssh.handlers['ssh.configureAccount']({ account, jumpHost: 'bastion.example.com' })
    const view = await ssh.configure(account, 'm1', { jumpHost: ' none ' })
    expect(view).toMatchObject({ jumpHost: null, command: 'ssh ubuntu@127.0.0.1' })
    expect(view.settings.jumpHost).toBe('none')
  })

  it('uses options of the machine, else of the account', async () => {
    const { ssh } = setUp()
    await ssh.handlers['ssh.configureAccount']({ account, options: 'compression=yes' })
    const read = () => ssh.handlers['ssh.connection'](one)
    expect((await read()).command).toBe('ssh -o Compression=yes ubuntu@127.0.0.1')
    await ssh.configure(account, 'm1', { options: 'SetEnv=A=1 SetEnv=B=2' })
    expect((await read()).command).toBe("ssh -o 'SetEnv=A=1 B=2' ubuntu@127.0.0.1")
    await expect(ssh.configure(account, 'm1', { options: 'ProxyCommand=id' })).rejects.toEqual(
      invalid('options', 'malformed'),
    )
    expect((await ssh.configure(account, 'm1', { options: null })).options).toBe('Compression=yes')
  })

  it.each([
    '-oProxyCommand=sh',
    'a b',
    'host,other',
    'a@b@c',
    '$(touch x)',
    '`id`',
    'host;id',
    'host\nProxyCommand sh',
    'host\0',
    '%h',
    'ada@',
    'ada@-x',
    '-l@host',
    'host:0',
    'host:65536',
    'host:22:22',
    'host:-1',
    '::1',
    '[::1]:22',
    'ssh://host',
    '127.1',
    'b\u0430stion',
    'host\u202e',
    'x'.repeat(65_536),
  ])('refuses the jump host %j', async (jumpHost) => {
    const { ssh } = setUp()
    await expect(ssh.configure(account, 'm1', { jumpHost })).rejects.toEqual(invalid('jumpHost', 'malformed'))
    await expect(ssh.handlers['ssh.configureAccount']({ account, jumpHost })).rejects.toEqual(
      invalid('jumpHost', 'malformed'),
    )
  })

  it('does not pass through the machine itself if that is the account’s jump host', async () => {
    const { ssh } = setUp()
    await ssh.handlers['ssh.configureAccount']({ account, jumpHost: '127.0.0.1' })
    expect(await ssh.handlers['ssh.connection'](one)).toMatchObject({
      jumpHost: null,
      command: 'ssh ubuntu@127.0.0.1',
    })
  })

  it('is the same in the arguments of terminals and in the shown command', () => {
    const to = { user: 'ubuntu', host: '10.0.0.5', port: 22, identityFile: null }
    const args = sshArguments({ ...to, jumpHost: 'bastion', forwardAgent: false }, '/k', 'm1', 'linux')
    expect(args).toContain('ProxyJump=ubuntu@bastion:22')
    expect(args).toContain('ForwardAgent=no')
    expect(sshArguments(to, '/k', 'm1', 'linux').join(' ')).not.toContain('ProxyJump')
    expect(typedCommand({ ...to, jumpHost: 'bastion' }, 'win32')).toBe(
      'ssh -J ubuntu@bastion:22 ubuntu@10.0.0.5',
    )
  })
})

describeWith(['sshd', 'ssh'], 'a machine behind a jump host', () => {
  async function serve(command = 'none') {
    const keys = temporaryFolder()
    onTestFinished(() => rmSync(keys, { recursive: true, force: true }))
    const [user, jumpKey, targetKey] = ['user', 'jump', 'target'].map((name) => makeKey(join(keys, name)))
    if (!user || !jumpKey || !targetKey) return expect.fail('no keys')
    const set = { AllowTcpForwarding: 'yes' }
    const jump = await startSshd({ hostKeys: [jumpKey], admits: user, set })
    const target = await startSshd({ hostKeys: [targetKey], admits: user, command })
    onTestFinished(() => Promise.all([jump.close(), target.close()]).then(() => undefined))
    const { folder, ssh } = setUp(target.user, target.port)
    await promisify(execFile)('cp', [user, join(folder, '.ssh', 'id_ed25519')])
    await ssh.configure(account, 'm1', { jumpHost: `127.0.0.1:${String(jump.port)}` })
    const connect = async () => {
      const reach = await ssh.reach(account, 'm1')
      if (reach.kind !== 'reachable') return expect.fail(reach.kind)
      return openConnection(reach.target, new AbortController().signal)
    }
    return { keys, user, jump, target, folder, ssh, connect }
  }

  it('is reached by the application’s own connection, with a key recorded for each host', async () => {
    const { keys, user, jump, target, ssh, connect } = await serve()
    const first = await connect()
    if (first.kind !== 'host-key-unknown') return expect.fail(first.kind)
    await ssh.record(account, 'm1', first.key)
    const outcome = await connect()
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    expect(await outcome.connection.exec('echo beyond')).toMatchObject({ stdout: 'beyond\n' })
    const lost = new Promise((resolve) => outcome.connection.onLost(resolve))
    expect(jump.log()).toMatch(/direct-tcpip|Accepted publickey/)
    await target.logged(/Accepted publickey/)

    await jump.close()
    await lost
    const other = await startSshd({
      hostKeys: [makeKey(join(keys, 'other'))],
      admits: user,
      port: jump.port,
      set: { AllowTcpForwarding: 'yes' },
    })
    onTestFinished(() => other.close())
    expect(await connect()).toMatchObject({ kind: 'host-key-changed', isJump: true })
    expect(other.log(), 'nobody signed in').not.toContain('Accepted')
    await ssh.handlers['ssh.forgetHostKey'](one)
    expect(await connect(), 'the machine’s alone').toMatchObject({ kind: 'host-key-changed', isJump: true })
    await ssh.record(account, 'm1', first.key)
    await ssh.handlers['ssh.forgetHostKey']({ ...one, host: `127.0.0.1:${String(jump.port)}` })
    const through = await connect()
    if (through.kind !== 'connected') return expect.fail('the jump host’s alone')
    through.connection.close()
  })

  it('times out if the jump host never answers the request for a channel', async () => {
    const { ssh } = await serve()
    const reach = await ssh.reach(account, 'm1')
    const via = reach.kind === 'reachable' ? reach.target.via : undefined
    if (reach.kind !== 'reachable' || !via) return expect.fail(reach.kind)
    const { private: hostKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => undefined)
      client.on('authentication', (context) => context.accept())
      client.on('tcpip', () => undefined)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const target = {
      ...reach.target,
      via: { target: { ...via.target, port }, record: () => Promise.resolve() },
    }
    const limits = { ...connectionLimits, ready: 1 }
    expect(await openConnection(target, new AbortController().signal, limits)).toEqual({
      kind: 'not-reached',
      reason: 'ETIMEDOUT',
    })
  })

  it('is not confused with its jump host, whose recorded key has an unusual type', async () => {
    const { ssh } = await serve()
    const reach = await ssh.reach(account, 'm1')
    const via = reach.kind === 'reachable' ? reach.target.via : undefined
    if (reach.kind !== 'reachable' || !via) return expect.fail(reach.kind)
    let isRecorded = false
    const known = [{ type: 'sk-ssh-ed25519@openssh.com', blob: 'AAAA' }]
    const target = {
      ...reach.target,
      via: { target: { ...via.target, known }, record: () => Promise.resolve(void (isRecorded = true)) },
    }
    expect(await openConnection(target, new AbortController().signal)).toMatchObject({ kind: 'not-reached' })
    expect(isRecorded).toBe(false)
  })

  it('behind a jump host that refuses the key reports that reason', async () => {
    const { keys, jump, target: server, folder, ssh } = await serve()
    const reach = await ssh.reach(account, 'm1')
    const via = reach.kind === 'reachable' ? reach.target.via : undefined
    if (reach.kind !== 'reachable' || !via) return expect.fail(reach.kind)
    const set = { AllowTcpForwarding: 'yes' }
    const refusing = await startSshd({ hostKeys: [join(keys, 'jump')], admits: join(keys, 'target'), set })
    onTestFinished(() => refusing.close())
    const { user, port } = server
    const known = [{ type: 'ssh-ed25519', blob: 'AAAA' }]
    // Its own file of host keys does not name the jump host.
    const inner = `ssh -F none -p ${String(refusing.port)} -o UserKnownHostsFile=/dev/null -o BatchMode=yes -W %h:%p 127.0.0.1`
    const system = systemSsh(folder, {
      user,
      port,
      identityFile: null,
      known,
      more: ['-o', `ProxyCommand=${inner}`],
    })
    const target = {
      ...reach.target,
      known,
      system: { isNeeded: false, hasOtherKeys: true as const, ssh: system },
      via: { target: { ...via.target, port: refusing.port, known: [] }, record: () => Promise.resolve() },
    }
    const outcome = await openConnection(target, new AbortController().signal)
    expect(outcome).toMatchObject({ kind: 'key-refused', isJump: true })
    expect(jump.log()).not.toContain('Accepted')
  })

  it('is reached by the system’s ssh with the same arguments', async () => {
    const { user, jump, target, folder } = await serve('echo beyond')
    const config = join(folder, 'config')
    const lines = [`IdentityFile ${user}`, `UserKnownHostsFile ${join(folder, 'theirs')}`]
    writeFileSync(config, `Host *\n  StrictHostKeyChecking accept-new\n  ${lines.join('\n  ')}\n`)
    const to = { user: target.user, host: '127.0.0.1', port: target.port, identityFile: user }
    const jumpHost = `127.0.0.1:${String(jump.port)}`
    const args = sshArguments({ ...to, jumpHost }, join(folder, 'ours'), 'm1', process.platform)
    const { stdout } = await promisify(execFile)('ssh', ['-F', config, '-o', 'BatchMode=yes', ...args])
    expect(stdout).toBe('beyond\n')
  })
})
