import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { askpassHarness, type AskpassOptions } from '../../../test/fixtures/askpass-harness'
import { runAgent } from '../../../test/fixtures/ssh-agent'
import { realTerminals } from '../../../test/fixtures/real-terminals'
import { fingerprintBySsh, makeKey } from '../../../test/fixtures/sshd'
import { addSystemAccount } from '../../../test/fixtures/system-account'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { openConnection } from '../ssh/client/connection'
import { offeredKeys } from '../ssh/client/offered-keys'
import type { Terminals } from './index'
import { channelPty } from './channel-pty'

const { folder, user, host, otherHost, serve, openTerminal } = realTerminals()
type Server = Parameters<typeof openTerminal>[0]

/** System without ssh in PATH, on a platform without other program folders. */
const withoutSsh = { env: { ...process.env, PATH: '' }, platform: 'freebsd' } as const
type System = NonNullable<Parameters<typeof openTerminal>[3]> & { env?: NodeJS.ProcessEnv }
const open = (server: Server, { env = process.env, ...more }: System) => openTerminal(server, {}, env, more)

describeWith(['sshd'], 'a terminal inside by the application’s own client', () => {
  it.each([
    { where: 'available pseudo-terminal', system: { hasPty: false } },
    { where: 'OpenSSH client', system: withoutSsh },
  ])('shows a shell without an $where, resizes it, and ends with it', async ({ system }) => {
    const terminal = await open(await serve(), system)
    expect(terminal.args, 'no program was started').toEqual([])
    const known = readFileSync(join(folder, 'known_hosts'), 'utf8')
    expect(known, 'the key of the first contact').toContain('m1.')
    const view = await terminal.ssh.handlers['ssh.connection']({ account: 'abcdefghijkl', machine: 'm1' })
    expect(view).toMatchObject({ usesOwnClient: true, hostKey: fingerprintBySsh(host) })
    terminal.resize(101, 37)
    terminal.type('PS1=; stty size; echo $TERM\r')
    await terminal.shows('37 101\r\n')
    await terminal.shows('xterm-256color\r\n')
    // ssh itself ends with 255 if the connection was lost.
    terminal.clock.advance(60)
    terminal.type('exit 255\r')
    await terminal.is({ kind: 'ended', code: 255 })
  })

  it.each([
    { what: 'is forwarded', forwardAgent: true, set: {}, answer: 'ED25519' },
    { what: 'is not forwarded unless the user chose that', forwardAgent: false, set: {}, answer: 'none' },
    {
      what: 'is not forwarded if the machine does not allow it',
      forwardAgent: true,
      set: { AllowAgentForwarding: 'no' },
      answer: 'none',
    },
  ])('has a shell to which the agent $what', async ({ forwardAgent, set, answer }) => {
    const server = await serve(host, undefined, set)
    const env = { ...process.env, SSH_AUTH_SOCK: await runAgent([otherHost]) }
    const terminal = await open(server, { hasPty: false, env, forwardAgent })
    terminal.type(`PS1=; echo "agent: $(ssh-add -l 2>/dev/null | grep -o ED25519 || echo none)"\r`)
    await terminal.shows(`agent: ${answer}`)
  })

  it('ends without a code if a signal ended the shell', async () => {
    const terminal = await open(await serve(), { hasPty: false })
    terminal.type('kill -KILL $$\r')
    await terminal.is({ kind: 'ended', code: null })
  })

  it('reports a connection that was lost before the session had begun', async () => {
    const server = await serve()
    const terminal = await open(server, { hasPty: false })
    await server.close()
    await terminal.is({ kind: 'ended', code: null, isLost: true })
  })

  it('reports that its keys were refused', async () => {
    const opened = open(await serve(), { hasPty: false, identityFile: otherHost })
    await expect(opened).rejects.toMatchObject({
      failure: {
        kind: 'local-fault',
        reason: expect.stringMatching(/refused .*Keys offered: .*other host\./),
      },
    })
  })

  it.each([
    {
      what: 'a hardware key',
      half: 'sk-ssh-ed25519@openssh.com AAAA',
      reason: /need OpenSSH .*sk-ssh-ed25519/,
    },
    { what: 'no key at all', half: '', reason: /doesn’t contain a private key/ },
  ])('reports that it cannot use $what', async ({ half, reason }) => {
    const identityFile = join(folder, 'token')
    writeFileSync(identityFile, '-----BEGIN OPENSSH PRIVATE KEY-----\n')
    writeFileSync(`${identityFile}.pub`, half)
    await expect(open(await serve(), { ...withoutSsh, identityFile })).rejects.toMatchObject({
      failure: { kind: 'local-fault', reason: expect.stringMatching(reason) },
    })
  })

  it('reports that nothing answers', async () => {
    const { close, ...server } = await serve()
    await close()
    await expect(open(server, { hasPty: false })).rejects.toMatchObject({
      failure: { kind: 'cannot-connect', reason: 'ECONNREFUSED' },
    })
  })

  it('buffers at most 128 kB of unread output, and loses none', async () => {
    const server = await serve()
    const offer = await offeredKeys(server.user, user, { home: '/', platform: process.platform, env: {} })
    if (offer.kind !== 'keys') expect.fail('no keys')
    const [type = '', blob = ''] = readFileSync(`${host}.pub`, 'utf8').split(' ')
    const target = { user: server.user, host: '127.0.0.1', port: server.port, keys: offer.keys }
    const outcome = await openConnection({ ...target, known: [{ type, blob }] }, new AbortController().signal)
    if (outcome.kind !== 'connected') expect.fail(outcome.kind)
    const { connection } = outcome
    onTestFinished(() => connection.close())
    const channel = await connection.shell({ columns: 80, rows: 24 })
    const flood = 8 * 1024 * 1024
    let bytes = 0
    const codes: (number | null)[] = []
    const pty = channelPty(
      { channel, close: connection.close },
      { output: (data) => (bytes += data.length), ended: (code) => codes.push(code) },
    )
    pty.pause()
    await pty.write(`stty raw -echo; head -c ${String(flood)} /dev/zero; exit 3\n`)
    const waiting = expect.poll(() => channel.stream.readableLength, { timeout: 80_000 })
    await waiting.toBeGreaterThanOrEqual(64 * 1024)
    expect(bytes).toBe(0)
    // One more packet of the protocol may be buffered.
    expect(channel.stream.readableLength).toBeLessThan(128 * 1024)
    pty.resume()
    await expect.poll(() => codes, { timeout: 80_000 }).toEqual([3])
    expect(bytes).toBeGreaterThanOrEqual(flood)
  })
})

describeWith(['sshd', 'accounts'], 'a terminal inside on a machine that requires a password', () => {
  const secret = `canary-${randomBytes(8).toString('hex')}`
  /** Opens a terminal without a key. `person` answers the questions. */
  async function begin(
    person: AskpassOptions['person'],
    created?: System['created'],
    env: NodeJS.ProcessEnv = {},
  ) {
    const server = await serve(host, undefined, { PasswordAuthentication: 'yes' })
    const harness = await askpassHarness({ isOwnClient: true, ...(person && { person }) })
    const opened = openTerminal(
      { ...server, user: addSystemAccount(secret) },
      {},
      { PATH: '', ...env },
      {
        hasPty: false,
        identityFile: null,
        askpass: harness.askpass,
        ...(created && { created }),
      },
    )
    return { ...harness, opened, log: server.log }
  }

  it('opens after the user confirmed the host key, which is recorded as seen', async () => {
    const { opened, asked } = await begin(() => ({ answer: secret, keep: 'no' }))
    const terminal = await opened
    expect(asked).toMatchObject([
      { kind: 'host-key', subject: fingerprintBySsh(host), machine: 'trainer 01' },
      { kind: 'password' },
    ])
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toMatch(/ seen\n$/)
    terminal.type('PS1=; echo $((6 * 7))\r')
    await terminal.shows('42\r\n')
  })

  it('opens although the server hung up because of the agent’s many keys', async () => {
    const paths = Array.from({ length: 7 }, (_, index) => makeKey(join(folder, `k${String(index)}`)))
    const agent = await runAgent(paths)
    const { opened, asked, log } = await begin(() => ({ answer: secret, keep: 'no' }), undefined, {
      SSH_AUTH_SOCK: agent,
    })
    const terminal = await opened
    expect(log()).toContain('Too many authentication failures')
    expect(asked).toMatchObject([{ kind: 'host-key' }, { kind: 'password' }])
    terminal.type('PS1=; echo $((6 * 7))\r')
    await terminal.shows('42\r\n')
  })

  it('sends no password and records no host key if the user does not confirm the key', async () => {
    const { opened, asked, log } = await begin(() => null)
    await expect(opened).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    expect(asked).toMatchObject([{ kind: 'host-key' }])
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toBe('')
    expect(log()).not.toContain('Failed password')
  })

  it('reports a wrong password', async () => {
    const { opened } = await begin(() => ({ answer: 'wrong', keep: 'no' }))
    await expect(opened).rejects.toMatchObject({
      failure: { kind: 'local-fault', reason: expect.stringMatching(/Keys offered: none/) },
    })
  })

  it('withdraws its question once it is closed', async () => {
    let terminals: Terminals | undefined
    const { opened, asked, askpass } = await begin(
      () => undefined,
      (created) => (terminals = created),
    )
    const refused = expect(opened).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    await expect.poll(() => asked.length).toBe(1)
    terminals?.close()
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
    await refused
  })
})

it('a terminal inside reports an expired password', async () => {
  const { private: key } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const machine = new ssh2.Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => {
      if (attempt.method !== 'password') attempt.reject(['password'])
      else attempt.requestChange('Your password has expired.', () => attempt.reject())
    })
  })
  await once(machine.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void machine.close())
  const address = machine.address()
  if (typeof address !== 'object' || address === null) return expect.fail()
  const { askpass } = await askpassHarness({
    isOwnClient: true,
    person: () => ({ answer: 'old', keep: 'no' }),
  })
  const opened = openTerminal({ user: 'ubuntu', port: address.port }, {}, process.env, {
    hasPty: false,
    identityFile: null,
    askpass,
  })
  await expect(opened).rejects.toMatchObject({
    failure: { kind: 'local-fault', reason: expect.stringMatching(/^The password of ubuntu .* has expired/) },
  })
})

it('a terminal inside is cancelled if its account is forgotten while it connects', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  const reached = new Promise<void>((resolve) => silent.once('connection', () => resolve()))
  onTestFinished(() => void silent.close())
  await new Promise((resolve) => silent.once('listening', resolve))
  const address = silent.address()
  if (typeof address !== 'object' || address === null) return expect.fail()
  let forget = (): Promise<void> => Promise.resolve()
  const opened = openTerminal({ user: 'ubuntu', port: address.port }, {}, process.env, {
    hasPty: false,
    created: (terminals) => (forget = () => terminals.forgetAccount('abcdefghijkl')),
  })
  const refused = expect(opened).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
  await reached
  await forget()
  await refused
})
