import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { connectHarness } from '../../../../test/fixtures/connect-harness'
import { account } from '../../../../test/fixtures/ssh-harness'
import {
  fingerprintBySsh,
  freePort,
  makeKey,
  type RunningSshd,
  startSshd,
} from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { hostKeyAlias } from '../client/host-key'
import { sshArguments } from './ssh-arguments'

const run = promisify(execFile)
const { key, folder, opened, start, sshTo } = connectHarness()
const windows = (): number => readFileSync(opened, 'utf8').split('\n').length - 1
const recorded = () => readFileSync(join(folder, 'known_hosts'), 'utf8')

/** ssh with the very arguments that a terminal gets, but running a command and asking nothing. */
const runSsh = (server: RunningSshd, identityFile: string, command: string) =>
  run('ssh', [
    '-o',
    'BatchMode=yes',
    ...sshArguments(
      { user: server.user, host: '127.0.0.1', port: server.port, identityFile },
      join(folder, 'known_hosts'),
      hostKeyAlias(account, 'M1'),
      'linux',
    ),
    command,
  ])

describeWith(['sshd', 'ssh'], 'connecting to a real sshd', () => {
  beforeAll(() => {
    for (const name of ['user', 'stranger', 'host', 'another host']) makeKey(key(name))
    makeKey(key('rsa host'), 'rsa')
  })

  it('records the host key at first contact and sends it to the window', async () => {
    const server = await start({ hostKeys: [key('host')], admits: key('user') })
    const ssh = sshTo(server)
    await ssh.handlers['ssh.connection']({ account, machine: 'M1' })
    const changed = new Promise<SshConnectionView>((resolve) => {
      ssh.events['ssh.changed'](({ connection }) => resolve(connection))
    })
    await expect(ssh.connect(account, 'M1')).resolves.toEqual({
      terminal: 'xterm',
      session: null,
      missing: null,
      failed: null,
    })
    expect((await changed).hostKey).toBe(fingerprintBySsh(key('host')))
    await server.logged(/Accepted publickey for .* ED25519/)
    const view = await ssh.handlers['ssh.connection']({ account, machine: 'M1' })
    expect(view.hostKey).toBe(fingerprintBySsh(key('host')))
    expect(recorded()).toMatch(/^sha256\.[0-9a-f]{32}\.abcdefghijkl\.wheelhouse ssh-ed25519 \S+\n$/)
    expect(statSync(join(folder, 'known_hosts')).mode & 0o777).toBe(0o600)
    expect(windows()).toBe(1)
    expect(readFileSync(opened, 'utf8')).toContain('-o KnownHostsCommand=none')
  })

  it('opens a second time without recording anything', async () => {
    const server = await start({ hostKeys: [key('rsa host'), key('host')], admits: key('user') })
    const ssh = sshTo(server)
    const sessions = () => server.log().split('Accepted publickey').length - 1
    await ssh.connect(account, 'M1')
    await expect.poll(sessions).toBe(1)
    const first = recorded()
    await ssh.handlers['ssh.connect']({ account, machine: 'M1' })
    await expect.poll(sessions).toBe(2)
    expect(recorded()).toBe(first)
    expect(windows()).toBe(2)
  })

  it.each([
    ['another key', 'another host', false],
    ['another key, although the person goes on anyway', 'another host', true],
    ['a key of another type', 'rsa host', false],
  ])('stops at %s, with both fingerprints, before a terminal opens', async (_what, changed, anyway) => {
    const port = await freePort()
    const first = await startSshd({ hostKeys: [key('host')], admits: key('user'), port })
    const ssh = sshTo(first)
    await ssh.connect(account, 'M1')
    await first.logged(/Accepted publickey/)
    await first.close()
    const second = await start({ hostKeys: [key(changed)], admits: key('user'), port })
    const before = recorded()
    await expect(ssh.handlers['ssh.connect']({ account, machine: 'M1', anyway })).rejects.toThrow(
      expect.objectContaining({
        failure: {
          kind: 'host-key-changed',
          host: `127.0.0.1:${String(port)}`,
          known: fingerprintBySsh(key('host')),
          offered: fingerprintBySsh(key(changed)),
        },
      }),
    )
    expect(windows()).toBe(1)
    expect(recorded()).toBe(before)

    // ssh itself, were it asked, stops as well.
    await expect(runSsh(second, key('user'), 'true')).rejects.toThrow(/HOST IDENTIFICATION HAS CHANGED/)
    expect(recorded()).toBe(before)
    expect(second.log()).not.toContain('Accepted')

    // The user accepts the change: the next contact records the new key.
    await ssh.handlers['ssh.forgetHostKey']({ account, machine: 'M1' })
    await ssh.connect(account, 'M1')
    await second.logged(/Accepted publickey/)
    const view = await ssh.handlers['ssh.connection']({ account, machine: 'M1' })
    expect(view.hostKey).toBe(fingerprintBySsh(key(changed)))
  })

  it('separates machines that share an address', async () => {
    const server = await start({ hostKeys: [key('host')], admits: key('user') })
    const ssh = sshTo(server)
    await ssh.connect(account, 'M1')
    await ssh.connect(account, 'm1')
    await ssh.connect('mnopqrstuvwx', 'm1')
    // Each ssh runs on by itself, so any of them may be the first.
    const names = () => recorded().match(/^\S+/gm)?.toSorted()
    const aliases = [
      hostKeyAlias(account, 'M1'),
      hostKeyAlias(account, 'm1'),
      hostKeyAlias('mnopqrstuvwx', 'm1'),
    ]
    await expect.poll(names).toEqual(aliases.toSorted())
  })

  it('offers only the chosen identity, also with an agent', async () => {
    const server = await start({ hostKeys: [key('host')], admits: key('user') })
    const { stdout } = await run('ssh-agent', ['-s'])
    const socket = /SSH_AUTH_SOCK=([^;]+)/.exec(stdout)?.[1] ?? ''
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(stdout)?.[1])
    const before = process.env['SSH_AUTH_SOCK']
    process.env['SSH_AUTH_SOCK'] = socket
    try {
      await run('ssh-add', [key('user')])
      await expect(runSsh(server, key('stranger'), 'true')).rejects.toThrow(/Permission denied/)
      expect(server.log()).toContain(fingerprintBySsh(key('stranger')))
      expect(server.log()).not.toContain(fingerprintBySsh(key('user')))
    } finally {
      if (before === undefined) delete process.env['SSH_AUTH_SOCK']
      else process.env['SSH_AUTH_SOCK'] = before
      process.kill(pid)
    }
  })

  it('opens nothing if nothing answers, unless the user wants the terminal anyway', async () => {
    const ssh = sshTo({ port: await freePort(), user: 'root' }, { watchFor: 10_000 })
    await expect(ssh.connect(account, 'M1')).rejects.toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ kind: 'cannot-connect', reason: 'ECONNREFUSED' }),
      }),
    )
    expect(windows()).toBe(0)
    // ssh fails in it, and so does this terminal that cannot stay open: the one inside is to show why.
    await expect(ssh.handlers['ssh.connect']({ account, machine: 'M1', anyway: true })).rejects.toThrow(
      'no terminal inside in this test',
    )
    expect(windows()).toBe(2)
  })

  it('opens the terminal inside if there is no other', async () => {
    const server = await start({ hostKeys: [key('host')], admits: key('user') })
    const ssh = sshTo(server, { platform: 'darwin' })
    const view = await ssh.handlers['ssh.connection']({ account, machine: 'M1' })
    expect(view).toMatchObject({ terminal: 'Wheelhouse', offersInside: false })
    await expect(ssh.connect(account, 'M1')).rejects.toThrow('no terminal inside in this test')
  })
})
