import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { createServer } from 'node:net'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { askpassHarness, type AskpassOptions } from '../../../test/fixtures/askpass-harness'
import { filesHarness } from '../../../test/fixtures/files-harness'
import { noKeys, noTerminals } from '../../../test/fixtures/no-terminals'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { fingerprintBySsh, freePort, makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { portOf } from '../../../test/fixtures/tunnels-harness'
import { openSettings } from '../store/settings'
import { openConnection } from './client/connection'
import { type ConnectionLimits, connectionLimits } from './client/target'
import { sshWithTerminals } from '../../../test/fixtures/ssh-with-terminals'

const passphrase = 'canary of the bastion'

/** A bastion that asks like this, whatever the answer, and leads nowhere. */
async function hostileJump(prompt: string) {
  const { private: hostKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const given: string[] = []
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive'])
      context.prompt([{ prompt, echo: false }], (answers) => {
        given.push(...answers)
        context.reject(['keyboard-interactive'])
      })
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port, publicKey, given }
}

/** A machine that takes this password alone. */
async function passwordMachine(password: string) {
  const { private: hostKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.password === password) context.accept()
      else context.reject(['password'])
    })
    client.on('session', (accept) => accept().on('exec', (acceptExec) => acceptExec().write('\n')))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port, publicKey }
}

interface Options extends AskpassOptions {
  /** In the user's known_hosts. */
  readonly isJumpKnown?: boolean
  /** The key of the machine has the passphrase too. */
  readonly isSameKey?: boolean
  readonly hostile?: Awaited<ReturnType<typeof hostileJump>>
  /** Neither of the two takes more attempts; one of them is offered another key before. */
  readonly tooMany?: 'machine' | 'jump'
  /** In place of a machine that takes a key. */
  readonly other?: Awaited<ReturnType<typeof passwordMachine>>
}

/** A machine behind a bastion, each a server of OpenSSH's own; the bastion's key has a passphrase. */
async function setUp({
  isJumpKnown = true,
  isSameKey = false,
  tooMany,
  hostile,
  other,
  ...options
}: Options = {}) {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')]
  for (const path of [bin, home, join(home, '.ssh')]) mkdirSync(path)
  const [own, locked, jumpKey, hostKey] = ['id', 'locked', 'jump', 'host'].map((name) =>
    makeKey(join(folder, name)),
  )
  if (!own || !locked || !jumpKey || !hostKey) return expect.fail('no keys')
  execFileSync('ssh-keygen', ['-q', '-p', '-N', passphrase, '-f', locked])
  const key = isSameKey ? locked : own
  const tries = tooMany ? { MaxAuthTries: '1' } : {}
  const jump = await startSshd({
    hostKeys: [jumpKey],
    admits: locked,
    set: { AllowTcpForwarding: 'yes', ...tries },
  })
  const target = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none', set: tries })
  onTestFinished(() => Promise.all([jump.close(), target.close()]).then(() => undefined))
  const port = String(hostile?.port ?? jump.port)
  // The system's ssh, and the ssh for the jump host, with the test's configuration instead of the user's.
  const [config, theirs] = [join(folder, 'config'), join(folder, 'theirs')]
  const first = tooMany ? `  IdentityFile ${makeKey(join(folder, 'another'))}` : ''
  const lines = [
    'Host localhost',
    ...(tooMany === 'jump' ? [first] : []),
    `  IdentityFile ${locked}`,
    `  UserKnownHostsFile ${theirs}`,
    ...(tooMany === 'machine' ? ['Host 127.0.0.1', first, `  IdentityFile ${key}`] : []),
    'Host *',
    '  IdentityAgent none',
    '',
  ]
  writeFileSync(config, lines.join('\n'))
  const known = hostile?.publicKey ?? readFileSync(`${jumpKey}.pub`, 'utf8')
  if (isJumpKnown) writeFileSync(theirs, `[localhost]:${port} ${known}\n`)
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec ${findProgram('ssh') ?? ''} -F '${config}' "$@"\n`)
  chmodSync(join(bin, 'ssh'), 0o755)

  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const harness = await askpassHarness({ ...options, env, keyPaths: [locked] })
  let isDropped = false
  const ssh = sshWithTerminals({
    folder: join(folder, 'data'),
    home,
    platform: process.platform,
    env,
    settings: openSettings(join(folder, 'settings')),
    terminals: noTerminals,
    keys: { ...noKeys, drop: () => Promise.resolve(void (isDropped = true)) },
    askpass: harness.askpass,
    terminal: () => null,
    chooseFile: () => Promise.resolve(null),
    machine: () => machine({ address: '127.0.0.1', username: target.user }),
    defaults: () => ({
      port: other?.port ?? target.port,
      jumpHost: `localhost:${port}`,
      identityFile: tooMany === 'machine' ? null : key,
    }),
  })
  onTestFinished(() => ssh.close())
  const [type = '', blob = ''] = (other?.publicKey ?? readFileSync(`${hostKey}.pub`, 'utf8')).split(' ')
  const record = () => ssh.record(account, 'm1', { type, blob })
  const reach = async (isSilent = false) => {
    const reached = await ssh.reach(account, 'm1', isSilent)
    return reached.kind === 'reachable' ? reached.target : expect.fail(reached.kind)
  }
  const connect = async (isSilent?: boolean, limits?: ConnectionLimits) => {
    const outcome = await openConnection(await reach(isSilent), new AbortController().signal, limits)
    if (outcome.kind === 'connected') onTestFinished(() => outcome.connection.close())
    return outcome
  }
  const from = `${target.user}@localhost`
  return {
    ...harness,
    folder,
    locked,
    jumpKey,
    theirs,
    from,
    port,
    record,
    reach,
    connect,
    isDropped: () => isDropped,
  }
}
const unlocks = () => ({ answer: passphrase, keep: 'no' }) as const

describeWith(['sshd', 'ssh'], 'a machine behind a jump host that asks', () => {
  it('lists its files once the user has entered the passphrase for the jump host', async () => {
    const { folder, asked, locked, record, reach } = await setUp({ person: unlocks })
    await record()
    const { look, list } = filesHarness(await reach())
    await look()
    writeFileSync(join(folder, 'one'), '1')
    expect(JSON.stringify(await list(folder))).toContain('"one"')
    expect(asked).toMatchObject([{ kind: 'passphrase', subject: locked, isAgain: false }])
  })

  it('has a host key view at first contact too', async () => {
    const { asked, connect } = await setUp({ person: unlocks })
    expect(await connect()).toMatchObject({ kind: 'host-key-unknown' })
    expect(asked).toMatchObject([{ kind: 'passphrase' }])
  })

  it('uses one stored passphrase for both', async () => {
    const { asked, askpass, record, connect } = await setUp({
      isSameKey: true,
      person: () => ({ answer: passphrase, keep: 'session' }),
    })
    await record()
    expect(await connect()).toMatchObject({ kind: 'connected' })
    expect(asked).toMatchObject([{ kind: 'passphrase', isAgain: false }])
    expect(await askpass.handlers['askpass.state']({})).toMatchObject({ kept: 1 })
  })

  it('waits longer for the user than for a machine', async () => {
    const harness = await setUp({ person: () => undefined })
    const { askpass, asked, record, connect } = harness
    await record()
    const outcome = connect(false, { ...connectionLimits, ready: 1 })
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1)
    // A silent attempt times out in this time.
    const mute = createServer((socket) => void socket.on('error', () => undefined))
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void mute.close())
    const silent = { user: 'ubuntu', host: '127.0.0.1', port: portOf(mute), known: [], keys: [] }
    const given = { ...connectionLimits, ready: 3 }
    expect(await openConnection(silent, new AbortController().signal, given)).toMatchObject({
      kind: 'not-reached',
    })
    const id = asked[0]?.id ?? ''
    await askpass.handlers['askpass.answer']({ id, answer: passphrase, keep: 'no' })
    expect(await outcome).toMatchObject({ kind: 'connected' })
  })

  it('is reached in the background without a question, or not at all', async () => {
    const { asked, record, connect } = await setUp({ isSilent: true })
    await record()
    expect(await connect(true)).toMatchObject({ kind: 'key-refused', isJump: true })
    expect(asked).toEqual([])
  })

  it('keeps its remembered key if the jump host refuses', async () => {
    const { asked, isDropped, record, connect } = await setUp({ person: () => null })
    await record()
    expect(await connect()).toEqual({ kind: 'key-refused', isJump: true })
    expect(asked).toHaveLength(1)
    expect(isDropped()).toBe(false)
  })

  it('distinguishes its own hang-up after too many keys from the jump host’s', async () => {
    const { record, connect, reach } = await setUp({ tooMany: 'machine', person: unlocks })
    await record()
    expect(await connect()).toEqual({ kind: 'key-refused', isCut: true })
    const { call, files, where } = filesHarness(await reach())
    const stopped = new Promise((resolve) =>
      files.events['files.changed'](({ link }) => link.kind === 'stopped' && resolve(link.stop)),
    )
    await call['files.look']({ ...where, looking: true })
    expect(await stopped).toMatchObject({ kind: 'key-refused', isCut: true })
    const other = await setUp({ tooMany: 'jump', person: unlocks })
    await other.record()
    expect(await other.connect()).toEqual({ kind: 'key-refused', isJump: true, isCut: true })
  })

  it('is reached once the user trusts the new jump host', async () => {
    const { asked, jumpKey, theirs, port, record, connect } = await setUp({
      isJumpKnown: false,
      person: unlocks,
    })
    await record()
    expect(await connect()).toMatchObject({ kind: 'connected' })
    expect(asked.map(({ kind }) => kind)).toEqual(['new-host', 'passphrase'])
    expect(asked[0]).toMatchObject({
      subject: fingerprintBySsh(jumpKey),
      hostKey: { address: `[localhost]:${port}`, type: 'ED25519' },
    })
    expect(readFileSync(theirs, 'utf8')).toContain(readFileSync(`${jumpKey}.pub`, 'utf8').split(' ')[1])
  })

  it('is not reached if the user does not trust the jump host, with one question', async () => {
    const { asked, record, connect } = await setUp({ isJumpKnown: false, person: () => null })
    await record()
    expect(await connect()).toEqual({ kind: 'jump-untrusted' })
    expect(asked.map(({ kind }) => kind)).toEqual(['new-host'])
  })

  it('gets its own password, and the jump host does not', async () => {
    const other = await passwordMachine('canary of the machine')
    const { asked, record, connect } = await setUp({
      other,
      password: 'canary of the machine',
      person: unlocks,
    })
    await record()
    expect(await connect()).toMatchObject({ kind: 'connected' })
    expect(asked).toMatchObject([{ kind: 'passphrase' }])
  })

  it.each([
    ['ssh’s own words', (user: string) => `${user}@m1.${account}.wheelhouse's password: `],
    ['the words of the machine', (user: string) => `(${user}@m1.${account}.wheelhouse) Password: `],
    ['a plain word', () => 'Password: '],
  ])('keeps its password from a jump host that asks for it in %s', async (_, words) => {
    const hostile = await hostileJump(words(userInfo().username))
    const { asked, from, record, connect } = await setUp({
      hostile,
      password: 'canary of the machine',
      person: () => null,
    })
    await record()
    expect(await connect()).toMatchObject({ kind: 'key-refused', isJump: true })
    expect(hostile.given.filter((text) => text !== '')).toEqual([])
    expect(asked[0]).toMatchObject({ kind: 'other', from })
    expect(asked[0]?.subject).toMatch(`(${from}) `)
  })
})
