import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { askpassHarness } from '../../../../test/fixtures/askpass-harness'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { noAskpass, noTerminals } from '../../../../test/fixtures/no-terminals'
import { fingerprintBySsh, makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { openSettings } from '../../store/settings'
import { openConnection } from '../client/connection'
import { sshWithTerminals } from '../../../../test/fixtures/ssh-with-terminals'
import { sshArguments } from '../launcher/ssh-arguments'
import { createSshKeys, type SshKeysDeps } from './index'

function home() {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const inSsh = (name: string): string => join(folder, '.ssh', name)
  mkdirSync(inSsh('.'), { mode: 0o700 })
  return { folder, inSsh }
}

const noPassphrases: SshKeysDeps['askpass'] = { listenForNewKey: () => Promise.resolve(null) }
const keysOf = (folder: string, env: NodeJS.ProcessEnv = {}, askpass = noPassphrases) =>
  createSshKeys({
    folder: join(folder, 'data'),
    home: folder,
    platform: process.platform,
    env,
    documents: openSettings(join(folder, 'documents')),
    askpass,
    machineName: () => 'trainer',
  })

describeWith(['ssh'], 'the keys of this computer', () => {
  it('are listed once each, as ssh-keygen and the agent report them', async () => {
    const { folder, inSsh } = home()
    const held = makeKey(inSsh('id_ed25519'), 'ed25519', 'jane@desk')
    const rsa = makeKey(inSsh('id_rsa'), 'rsa')
    execFileSync('ssh-keygen', ['-q', '-p', '-N', 'passphrase', '-f', rsa])
    rmSync(`${rsa}.pub`)
    const away = makeKey(join(folder, 'away'), 'ecdsa', 'a\u202eb')
    const socket = await runAgent([held, away])
    const { hasAgent, keys } = await keysOf(folder, { SSH_AUTH_SOCK: socket }).handlers['sshKeys.list']({})
    expect(hasAgent).toBe(true)
    expect(keys).toMatchObject([
      {
        path: held,
        fingerprint: fingerprintBySsh(held),
        comment: 'jane@desk',
        type: 'ssh-ed25519',
        encrypted: false,
        inAgent: true,
        hardware: false,
      },
      { path: rsa, type: 'ssh-rsa', encrypted: true, inAgent: false },
      { path: null, fingerprint: fingerprintBySsh(away), encrypted: null, inAgent: true },
    ])
    expect(keys[1]?.publicKey).toMatch(/^ssh-rsa AAAA/)
  })

  it('are found among other files', async () => {
    const { folder, inSsh } = home()
    const key = makeKey(inSsh('id_ed25519'))
    execFileSync('mkfifo', [inSsh('pipe')])
    symlinkSync('loop', inSsh('loop'))
    symlinkSync('/dev/zero', inSsh('endless'))
    mkdirSync(inSsh('folder'))
    writeFileSync(inSsh('huge'), `-----BEGIN OPENSSH PRIVATE KEY-----\n${'A'.repeat(1_000_000)}`)
    writeFileSync(inSsh('cut'), '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH')
    writeFileSync(inSsh('line\nbreak'), 'x')
    copyFileSync(key, inSsh('unreadable'))
    // Who runs the tests as root reads it all the same.
    chmodSync(inSsh('unreadable'), 0)
    const { keys } = await keysOf(folder).handlers['sshKeys.list']({})
    expect(keys.map(({ path }) => path)).toContain(key)
    expect(keys.filter(({ path }) => path !== key && path !== inSsh('unreadable'))).toEqual([])
    rmSync(inSsh('.'), { recursive: true })
    symlinkSync('.ssh', join(folder, '.ssh'))
    expect(await keysOf(folder).handlers['sshKeys.list']({})).toMatchObject({ keys: [], hasAgent: false })
  })
})

it('a key with a malformed type offers no public key to copy', async () => {
  const { folder, inSsh } = home()
  const text = (...values: readonly string[]): string =>
    values.map((value) => `\0\0\0${String.fromCharCode(value.length)}${value}`).join('')
  const blob = text('ssh-rsa AAAA\nssh-rsa', 'key')
  const data = `openssh-key-v1\0${text('none', 'none', '')}\0\0\0\x01${text(blob)}`
  const lines = Buffer.from(data, 'latin1').toString('base64')
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} OPENSSH PRIVATE KEY-----`)
  writeFileSync(inSsh('odd'), `${begin}\n${lines}\n${end}\n`)
  const { keys } = await keysOf(folder).handlers['sshKeys.list']({})
  expect(keys).toMatchObject([{ path: inSsh('odd'), publicKey: null, type: null }])
})

describeWith(['ssh'], 'a new key with a passphrase', () => {
  const made = { name: 'new', comment: 'jane', passphrase: 'canary passphrase' }

  it('is created by ssh-keygen, which gets the passphrase by askpass', async () => {
    const { folder, inSsh } = home()
    const harness = await askpassHarness()
    const { handlers } = keysOf(folder, process.env, harness.askpass)
    const { keys } = await handlers['sshKeys.generate'](made)
    expect(keys).toMatchObject([{ path: inSsh('new'), encrypted: true, comment: 'jane' }])
    const opens = (passphrase: string) => () =>
      execFileSync('ssh-keygen', ['-y', '-P', passphrase, '-f', inSsh('new')], { stdio: 'pipe' })
    expect(opens('canary passphrase')).not.toThrow()
    expect(opens('')).toThrow('incorrect passphrase')
    await expect(handlers['sshKeys.generate']({ ...made, passphrase: 'another' })).rejects.toMatchObject({
      failure: { field: 'name', reason: 'already-there' },
    })
    expect(opens('canary passphrase')).not.toThrow()
  })

  it('is not created if ssh-keygen can’t ask', async () => {
    const { folder } = home()
    const { handlers } = keysOf(folder, process.env)
    await expect(handlers['sshKeys.generate'](made)).rejects.toMatchObject({
      failure: { kind: 'local-fault' },
    })
    // Continues without a passphrase and without a question.
    const deaf = {
      listenForNewKey: () =>
        Promise.resolve({ env: {}, onAsk: () => () => undefined, close: () => undefined }),
    }
    await expect(keysOf(folder, process.env, deaf).handlers['sshKeys.generate'](made)).rejects.toThrow()
    expect(await keysOf(folder).handlers['sshKeys.list']({})).toMatchObject({ keys: [] })
  })
})

describeWith(['sshd', 'ssh'], 'the key that opened a machine', () => {
  it('is the only key that a terminal offers, of many in the agent', async () => {
    const { folder } = home()
    const others = Array.from({ length: 7 }, (_, index) => makeKey(join(folder, `other${String(index)}`)))
    const right = makeKey(join(folder, 'right'))
    const socket = await runAgent([...others, right])
    const server = await startSshd({
      hostKeys: [makeKey(join(folder, 'host'))],
      admits: right,
      command: 'echo signed in',
      set: { MaxAuthTries: '3' },
    })
    onTestFinished(() => server.close())
    const env = { ...process.env, SSH_AUTH_SOCK: socket }
    const keys = keysOf(folder, env)
    const ssh = sshWithTerminals({
      folder: join(folder, 'data'),
      home: folder,
      platform: process.platform,
      env,
      keys,
      settings: openSettings(join(folder, 'settings')),
      terminals: noTerminals,
      askpass: noAskpass,
      terminal: () => null,
      chooseFile: async () => null,
      machine: () => machine({ address: '127.0.0.1', username: server.user }),
      defaults: () => ({ port: server.port }),
    })
    onTestFinished(() => ssh.close())

    const connect = async () => {
      const reach = await ssh.reach(account, 'm1')
      if (reach.kind !== 'reachable') return expect.fail(reach.kind)
      return openConnection(reach.target, new AbortController().signal)
    }
    const first = await connect()
    if (first.kind !== 'host-key-unknown') return expect.fail(first.kind)
    await ssh.record(account, 'm1', first.key)
    const second = await connect()
    if (second.kind !== 'connected') return expect.fail(second.kind)
    second.connection.close()

    const identityFile = await keys.identityFor(account, 'm1')
    expect(identityFile).toMatch(/\.pub$/)
    const to = { user: server.user, host: '127.0.0.1', port: server.port }
    const run = (identity: string | null) =>
      promisify(execFile)(
        'ssh',
        [
          '-F',
          'none',
          '-o',
          'BatchMode=yes',
          ...sshArguments({ ...to, identityFile: identity }, join(folder, 'kh'), 'm1', process.platform),
        ],
        { env },
      )
    await expect(run(null)).rejects.toThrow('Too many authentication failures')
    expect((await run(identityFile)).stdout).toBe('signed in\n')

    const { keys: listed } = await keys.handlers['sshKeys.list']({})
    expect(listed.find(({ machines }) => machines.length > 0)).toMatchObject({
      fingerprint: fingerprintBySsh(right),
      machines: [{ account, machine: 'm1', name: 'trainer' }],
    })
    await ssh.handlers['ssh.forgetHostKey']({ account, machine: 'm1' })
    expect(await keys.identityFor(account, 'm1')).toBeNull()
  })
})
