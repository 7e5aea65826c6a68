import bcrypt from 'bcrypt-pbkdf'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import ssh2, { type AuthContext, type AuthenticationType } from 'ssh2'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { askpassHarness, type AskpassOptions } from '../../../../test/fixtures/askpass-harness'
import { account } from '../../../../test/fixtures/ssh-harness'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { addSystemAccount } from '../../../../test/fixtures/system-account'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { yieldToEventLoop } from '../../core/clock'
import { openConnection } from './connection'
import { connectionLimits, type Via } from './target'
import { fingerprint, type HostKey, hostKeyOf } from './host-key'
import { offeredKeys } from './offered-keys'

const secret = `canary-$(id) "pass" wörd ${randomBytes(8).toString('hex')}`
const passphrase = 'canary passphrase $(id) "'
const root = temporaryFolder()
const at = (name: string): string => join(root, name)
const [host, plain, locked, other] = [at('host'), at('plain'), at('locked'), at('other')] as const
const lock = (path: string, ...more: readonly string[]): string => {
  execFileSync('ssh-keygen', ['-q', '-p', '-a', '1', '-N', passphrase, ...more, '-f', path])
  return path
}
const parsed = (key: string | Buffer): ssh2.ParsedKey => {
  const read = ssh2.utils.parseKey(key)
  return read instanceof Error ? expect.fail(read.message) : read
}
afterAll(() => rmSync(root, { recursive: true }))

interface Machine {
  readonly user: string
  readonly port: number
  readonly known: readonly HostKey[]
}
interface SignInOptions extends AskpassOptions {
  readonly identityFile?: string
  /** Where an agent listens. */
  readonly agent?: string
  /** The host that leads there. */
  readonly via?: Via['target']
}

/** A person who types these answers one after the other, and then none. */
const types = (...answers: readonly string[]) => {
  const left = [...answers]
  return { person: () => ({ answer: left.shift() ?? '', keep: 'no' as const }) }
}
const nobody = { person: () => undefined }
const cancels = { person: () => null }

/** Signs in to a machine as a terminal of the application's own client does. */
async function begin(
  { user, port, known }: Machine,
  { identityFile, agent, via, ...options }: SignInOptions,
) {
  const harness = await askpassHarness({ ...options, isOwnClient: true })
  const asks = harness.answers(user)
  const closing = new AbortController()
  const env = agent === undefined ? {} : { SSH_AUTH_SOCK: agent }
  const places = { home: root, platform: process.platform, env }
  const offer = await offeredKeys(user, identityFile ?? null, places, undefined, asks.passphrase)
  const keys = offer.kind === 'keys' ? offer.keys : []
  const target = {
    ...{ user, host: '127.0.0.1', port, known, keys, asks },
    ...(via && { via: { target: via, record: () => expect.fail('recorded a key') } }),
  }
  const opening = openConnection(target, closing.signal)
  onTestFinished(async () => {
    closing.abort()
    asks.close()
    const outcome = await opening
    if (outcome.kind === 'connected') outcome.connection.close()
  })
  return { ...harness, asks, closing, opening, offer }
}
async function signIn(machine: Machine, options: SignInOptions) {
  const { opening, ...begun } = await begin(machine, options)
  return { ...begun, outcome: await opening }
}
const kinds = (asked: readonly { readonly kind: string }[]) => asked.map(({ kind }) => kind)

describeWith(['sshd', 'accounts'], 'signing in to OpenSSH’s own server, where the person is asked', () => {
  beforeAll(() => {
    for (const path of [host, plain, locked, other]) makeKey(path)
    lock(locked)
  })
  async function serve(set: Readonly<Record<string, string>> = {}, admits = plain) {
    const server = await startSshd({ hostKeys: [host], admits, command: 'echo in', set })
    onTestFinished(() => server.close())
    const known = [hostKeyOf(parsed(execFileSync('cat', [`${host}.pub`])).getPublicSSH())]
    return { ...server, known }
  }

  /** Admits a key of an account that can read no file of ours. */
  const admitting = (key: string): Readonly<Record<string, string>> => ({
    AuthorizedKeysCommand: `/usr/bin/cat ${key}.pub`,
    AuthorizedKeysCommandUser: 'root',
  })

  it.each([
    ['password', { PasswordAuthentication: 'yes', UsePAM: 'no' }],
    ['keyboard-interactive/pam', { KbdInteractiveAuthentication: 'yes', UsePAM: 'yes' }],
  ])('takes a %s, the second after a wrong one', async (method, set) => {
    const { logged, log, ...server } = await serve(set)
    const machine = { ...server, user: addSystemAccount(secret) }
    const typed = await signIn(machine, types('canary-wrong', secret))
    expect(typed.outcome.kind).toBe('connected')
    await logged(new RegExp(`Accepted ${method} for ${machine.user} `))
    expect(typed.asked).toMatchObject([
      { kind: 'password', subject: `${machine.user}@trainer`, isAgain: false },
      { kind: 'password', isAgain: true },
    ])
    typed.holdsNo('canary')
    const known = await signIn(machine, { password: secret, ...nobody })
    expect(known.outcome.kind).toBe('connected')
    expect(known.asked).toEqual([])
    const old = await signIn(machine, { password: 'canary-of-old', ...types(secret) })
    expect(old.outcome.kind).toBe('connected')
    expect(old.asked).toMatchObject([{ kind: 'password', isAgain: true }])
    old.holdsNo('canary')
    expect(log()).not.toContain('canary')
  })

  it('changes a password that has expired, by what the machine asks', async () => {
    const server = await serve({ KbdInteractiveAuthentication: 'yes', UsePAM: 'yes' })
    const user = addSystemAccount(secret)
    execFileSync('chage', ['--lastday', '0', user])
    const next = `Canary-next-${randomBytes(8).toString('hex')}`
    const changed = await signIn({ ...server, user }, { password: secret, ...types(secret, next, next) })
    expect(changed.outcome.kind).toBe('connected')
    expect(changed.asked).toMatchObject([
      { kind: 'other', subject: expect.stringMatching(/^You are required .*Current password:$/) },
      { kind: 'other', subject: 'New password:' },
      { kind: 'other', subject: 'Retype new password:' },
    ])
    changed.holdsNo(next)
  })

  it('asks for a password three times', async () => {
    const server = await serve({ PasswordAuthentication: 'yes' })
    const refused = await signIn({ ...server, user: addSystemAccount(secret) }, types('1', '2', '3', secret))
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(kinds(refused.asked)).toEqual(Array(3).fill('password'))
    expect(refused.asks.isUnanswered()).toBe(false)
  })

  it('sends nothing once the person has cancelled', async () => {
    const { log, ...server } = await serve({ PasswordAuthentication: 'yes' })
    const left = await signIn({ ...server, user: addSystemAccount(secret) }, cancels)
    expect(left.outcome).toEqual({ kind: 'key-refused' })
    expect(left.asks.isUnanswered()).toBe(true)
    expect(left.asked).toHaveLength(1)
    expect(log()).not.toContain('Failed password')
  })

  it('asks for no password where the server takes none', async () => {
    const refused = await signIn(await serve(), { ...types(secret), identityFile: other })
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(refused.asked).toEqual([])
  })

  it.each([
    ['OpenSSH’s format', 'ed25519', []],
    ['PEM', 'rsa', ['-m', 'PEM']],
    ['PKCS #8', 'rsa', ['-m', 'PKCS8']],
    ['PKCS #8', 'ecdsa', ['-m', 'PKCS8']],
  ] as const)('opens a key in %s (%s) by its passphrase', async (_, type, format) => {
    const key = lock(makeKey(at(`${type} ${format.join('')}`), type), ...format)
    const machine = await serve({}, key)
    const wrong = await signIn(machine, { identityFile: key, ...types('canary', passphrase) })
    expect(wrong.outcome.kind).toBe('connected')
    expect(wrong.asked).toMatchObject([
      { kind: 'passphrase', subject: key, isAgain: false },
      { kind: 'passphrase', subject: key, isAgain: true },
    ])
    wrong.holdsNo('canary')
    const used = wrong.offer.kind === 'keys' ? wrong.offer.signedWith() : undefined
    expect(used).toEqual(parsed(execFileSync('cat', [`${key}.pub`])).getPublicSSH())
  })

  it('asks for a passphrase at once where the public half is nowhere to be seen', async () => {
    const key = lock(makeKey(at('alone'), 'rsa'), '-m', 'PEM')
    const machine = await serve({}, key)
    rmSync(`${key}.pub`)
    const opened = await signIn(machine, { identityFile: key, ...types(passphrase) })
    expect(opened.outcome.kind).toBe('connected')
    expect(kinds(opened.asked)).toEqual(['passphrase'])
  })

  it('asks for no passphrase of a key that the machine does not take', async () => {
    const refused = await signIn(await serve(), { identityFile: locked, ...types(passphrase) })
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(refused.asked).toEqual([])
  })

  it('asks for no passphrase of a key that cannot be unlocked here', async () => {
    const key = lock(makeKey(at('poly')), '-Z', 'chacha20-poly1305@openssh.com')
    const refused = await signIn(await serve({}, key), { identityFile: key, ...types(passphrase) })
    expect(refused.offer).toEqual({ kind: 'key-unusable', path: key, why: 'encrypted' })
    expect(refused.asked).toEqual([])
  })

  describe('while a key is being unlocked', () => {
    const derived = () => {
      const hash = vi.spyOn(bcrypt, 'hash')
      onTestFinished(() => hash.mockRestore())
      return () => hash.mock.calls.length
    }
    const slow = at('slow')
    beforeAll(() => {
      lock(makeKey(slow), '-a', '60')
    })

    it('the machine’s time stands still', async () => {
      const steps = derived()
      const begun = await begin(await serve({}, slow), { identityFile: slow, ...types(passphrase) })
      await expect.poll(steps).toBeGreaterThan(1)
      expect(begun.clock.pending()).toBe(0)
      begun.clock.advance(connectionLimits.ready)
      expect((await begun.opening).kind).toBe('connected')
    })

    it('nothing goes on once the sign-in is given up', async () => {
      const steps = derived()
      const begun = await begin(await serve({}, slow), { identityFile: slow, ...types(passphrase) })
      await expect.poll(steps).toBeGreaterThan(1)
      begun.closing.abort()
      begun.asks.close()
      await begun.opening
      const before = steps()
      for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop()
      expect(steps()).toBeLessThanOrEqual(before + 1)
      expect(begun.reports).toEqual([])
    })
  })

  it.each([
    ['three wrong passphrases', types('1', '2', '3', secret), 3],
    [
      'a cancelled one',
      { person: ({ kind }) => (kind === 'passphrase' ? null : { answer: secret, keep: 'no' }) },
      1,
    ],
  ] satisfies readonly (readonly [string, AskpassOptions, number])[])(
    'goes on to the password after %s',
    async (_, person, times) => {
      const server = await serve({ PasswordAuthentication: 'yes', ...admitting(locked) })
      const machine = { ...server, user: addSystemAccount(secret) }
      const opened = await signIn(machine, { identityFile: locked, ...person })
      expect(opened.outcome.kind).toBe('connected')
      expect(kinds(opened.asked)).toEqual([...Array(times).fill('passphrase'), 'password'])
    },
  )

  it('keeps a passphrase where the person wants that, and asks again once it is wrong', async () => {
    const machine = await serve({}, locked)
    const harness = await begin(machine, {
      identityFile: locked,
      person: () => ({ answer: passphrase, keep: 'keychain' }),
    })
    expect((await harness.opening).kind).toBe('connected')
    const again = harness.answers(machine.user)
    const given = (): Promise<string | null> => again.passphrase(locked, (text) => Promise.resolve(text))
    expect(await given()).toBe(passphrase)
    expect(harness.asked).toHaveLength(1)
    await given()
    expect(harness.asked).toMatchObject([{ isAgain: false }, { isAgain: true }])
    again.close()
  })

  it.each(['file', 'agent', 'locked file'])('gives a second factor after a key of %s', async (where) => {
    const server = await serve({
      ...{ PasswordAuthentication: 'yes', AuthenticationMethods: 'publickey,password' },
      ...admitting(where === 'locked file' ? locked : plain),
    })
    const machine = { ...server, user: addSystemAccount(secret) }
    const by = {
      file: { identityFile: plain, ...types(secret) },
      'locked file': { identityFile: locked, ...types(passphrase, secret) },
      agent: { agent: where === 'agent' ? await runAgent([plain, other]) : '', ...types(secret) },
    }[where]
    const opened = await signIn(machine, by ?? expect.fail())
    expect(opened.outcome.kind).toBe('connected')
    expect(kinds(opened.asked)).toEqual([...(where === 'locked file' ? ['passphrase'] : []), 'password'])
  })
})

/** A server that does as the test says with every attempt but the first, which asks for its methods. */
async function hostile(
  decide: (attempt: AuthContext, sent: string[]) => void,
  methods: readonly AuthenticationType[] = ['keyboard-interactive', 'password'],
) {
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const sent: string[] = []
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => {
      if (attempt.method === 'none') attempt.reject([...methods])
      else decide(attempt, sent)
    })
    client.on('tcpip', (accept, refuse, { destIP, destPort }) => {
      const onward = connect(destPort, destIP, () => onward.pipe(accept()).pipe(onward))
      onward.on('error', refuse)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : expect.fail()
  return { user: 'ubuntu', port, known: [hostKeyOf(parsed(hostKey).getPublicSSH())], sent }
}
type Prompts = readonly { readonly prompt: string; readonly echo: boolean }[]
/** Asks this, and admits whoever answers. */
const asking =
  (prompts: Prompts, title = '', instruction = '') =>
  (attempt: AuthContext, sent: string[]): void => {
    if (attempt.method !== 'keyboard-interactive') return attempt.reject()
    attempt.prompt([...prompts], title, instruction, (answers) => {
      sent.push(...answers)
      attempt.accept()
    })
  }
/** Admits whoever has a password. */
const taking = (attempt: AuthContext, sent: string[]): void => {
  if (attempt.method !== 'password') return attempt.reject(['password'])
  sent.push(attempt.password)
  attempt.accept()
}

describe('what a machine asks by itself', () => {
  it('is shown prompt by prompt, and only what it may echo can be read', async () => {
    const prompts = [
      { prompt: 'Login: ', echo: true },
      { prompt: 'Code: ', echo: false },
    ]
    const machine = await hostile(asking(prompts, 'Bastion', 'Use your token.'))
    const opened = await signIn(machine, types('jane', '123 456'))
    expect(opened.outcome.kind).toBe('connected')
    expect(machine.sent).toEqual(['jane', '123 456'])
    expect(opened.asked).toMatchObject([
      { kind: 'other', subject: 'Bastion Use your token. Login:', isEchoed: true },
      { kind: 'other', subject: 'Bastion Use your token. Code:' },
    ])
    expect(opened.asked[1]).not.toHaveProperty('isEchoed')
  })

  it.each([
    ['that may be echoed', { prompt: 'Password: ', echo: true }],
    ['with a hidden character', { prompt: 'Pass\u202Eword: ', echo: false }],
    ['in two lines', { prompt: 'Password: \nreally: ', echo: false }],
    ['for another one', { prompt: 'Password of your bank: ', echo: false }],
    ['in ssh’s own words', { prompt: "Enter passphrase for key '/home/jane/.ssh/id': ", echo: false }],
  ])('is not its own password for a question %s', async (_, prompt) => {
    const machine = await hostile(asking([prompt]))
    const opened = await signIn(machine, { password: 'canary', ...types('typed') })
    expect(machine.sent).toEqual(['typed'])
    expect(kinds(opened.asked)).toEqual(['other'])
  })

  it('is one line without hidden characters, however long, with its question at the end', async () => {
    const noise = '\u0000\u001B\r\n\u202E\u2066\u200E\u061C\uFEFF'.repeat(400)
    const machine = await hostile(asking([{ prompt: `${noise}Code: `, echo: false }], noise, `do ${noise}`))
    const opened = await signIn(machine, types('1'))
    expect(opened.asked[0]?.subject).toBe('do Code:')
    const long = 'x'.repeat(10_000)
    const flood = await hostile(asking([{ prompt: `Code: ${long}`, echo: false }], long, long))
    const cut = await signIn(flood, types('1'))
    expect(cut.asked[0]?.subject).toMatch(/^x{99}… x{399}… Code: x{393}…$/)
  })

  it('is not shown at all where it is longer than a packet', async () => {
    const machine = await hostile(asking([{ prompt: 'x'.repeat(64 * 1024), echo: false }]))
    const refused = await signIn(machine, types('1'))
    expect(refused.outcome.kind).toBe('not-reached')
    expect(refused.asked).toEqual([])
  })

  it('is not shown at all where it is a thousand questions at once', async () => {
    const prompts = Array.from({ length: 1_000 }, () => ({ prompt: 'Code: ', echo: false }))
    const machine = await hostile(asking(prompts))
    const refused = await signIn(machine, types('1'))
    expect(refused.outcome).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
    expect(refused.asked).toEqual([])
    expect(machine.sent).toEqual([])
  })

  it('ends after 20 questions', async () => {
    const machine = await hostile((attempt, sent) => {
      const again = (): void => {
        if (attempt.method === 'keyboard-interactive')
          attempt.prompt([{ prompt: 'Code: ', echo: false }], (answers) => {
            sent.push(...answers)
            again()
          })
      }
      again()
    })
    const refused = await signIn(machine, types())
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(refused.asked).toHaveLength(20)
    expect(machine.sent).toHaveLength(20)
  })
})

describe('a machine that is asked for a password', () => {
  it('gets none where its host key has changed', async () => {
    const machine = await hostile(taking)
    const stranger = await hostile(taking)
    const refused = await signIn(
      { ...machine, known: stranger.known },
      { password: secret, ...types(secret) },
    )
    expect(refused.outcome.kind).toBe('host-key-changed')
    expect(refused.asked).toEqual([])
    expect(machine.sent).toEqual([])
  })

  it.each([
    ['its own', { password: secret }, taking, ['first-contact']],
    ['one that is typed', {}, taking, ['host-key', 'password']],
    ['an answer', {}, asking([{ prompt: 'Code: ', echo: false }]), ['host-key', 'other']],
  ])('gets %s once the person has seen its host key', async (_, own, decide, questions) => {
    const machine = await hostile(decide)
    const known = machine.known.map((key) => ({ ...key, isUnseen: true as const }))
    const refused = await begin({ ...machine, known }, { ...own, ...nobody })
    for (const key of machine.known) await refused.recordUnseen(key)
    await expect.poll(() => refused.asked.length).toBe(1)
    expect(refused.asked[0]).toMatchObject({
      kind: questions[0],
      subject: fingerprint(machine.known[0] ?? expect.fail()),
    })
    void refused.askpass.handlers['askpass.cancel']({ id: refused.asked[0]?.id ?? '' })
    expect(await refused.opening).toEqual({ kind: 'key-refused' })
    expect(await refused.recorded(), 'it is a first contact again').toEqual([])
    expect(machine.sent).toEqual([])

    const opened = await signIn(
      { ...machine, known },
      { ...own, person: () => ({ answer: secret, keep: 'no' }) },
    )
    expect(opened.outcome.kind).toBe('connected')
    expect(kinds(opened.asked)).toEqual(questions)
    expect(machine.sent).toEqual([secret])
    expect(await opened.recorded()).toEqual(machine.known)
  })

  it('has its time while nobody is asked, and the person has theirs', async () => {
    const machine = await hostile((attempt, sent) => {
      if (attempt.method === 'password') sent.push(attempt.password)
      else attempt.reject(['password'])
    })
    const { opening, asked, askpass, clock } = await begin(machine, nobody)
    await expect.poll(() => asked.length).toBe(1)
    clock.advance(connectionLimits.ready * 5)
    void askpass.handlers['askpass.answer']({ id: asked[0]?.id ?? '', answer: secret, keep: 'no' })
    await expect.poll(() => machine.sent).toEqual([secret])
    clock.advance(connectionLimits.ready - 1)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'ETIMEDOUT' })
  })

  it('has no more of it by asking for nothing, again and again', async () => {
    let rounds = 0
    const machine = await hostile((attempt) => {
      const again = (): void => {
        rounds += 1
        if (attempt.method === 'keyboard-interactive') attempt.prompt([], () => setImmediate(again))
      }
      again()
    })
    const { opening, clock } = await begin(machine, nobody)
    await expect.poll(() => rounds).toBeGreaterThan(10)
    clock.advance(connectionLimits.ready)
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'ETIMEDOUT' })
  })

  it('is asked about for the machine behind a jump host, and never for that host', async () => {
    const jumpHost = await hostile(
      (attempt, sent) => {
        if (attempt.method === 'publickey') attempt.accept()
        else taking(attempt, sent)
      },
      ['publickey'],
    )
    const machine = await hostile(taking)
    const key = parsed(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private)
    const method = { type: 'publickey' as const, username: 'ubuntu', key }
    const via = { ...jumpHost, host: '127.0.0.1', keys: [{ name: 'key', method }] }
    const opened = await signIn(machine, { via, ...types(secret) })
    expect(opened.outcome.kind).toBe('connected')
    expect(machine.sent).toEqual([secret])
    const refusing = await hostile(taking)
    const refused = await signIn(machine, { via: { ...via, ...refusing }, ...types(secret) })
    expect(refused.outcome).toEqual({ kind: 'key-refused', isJump: true })
    expect([...refused.asked, ...refusing.sent]).toEqual([])
  })

  /** One that has asked, and waits for what the test decides. */
  async function waiting() {
    let attempt: AuthContext | undefined
    const machine = await hostile((next) => {
      attempt = next
      if (next.method === 'keyboard-interactive')
        next.prompt([{ prompt: 'Code: ', echo: false }], () => undefined)
    })
    const begun = await begin(machine, nobody)
    await expect.poll(() => begun.asked.length).toBe(1)
    return { ...begun, attempt: attempt ?? expect.fail() }
  }

  it('is left where it refuses before the person has answered', async () => {
    const { opening, attempt } = await waiting()
    attempt.reject(['password'])
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
  })

  it('is left where it asks more before the person has answered', async () => {
    const { opening, attempt, asked } = await waiting()
    if (attempt.method === 'keyboard-interactive')
      attempt.prompt([{ prompt: 'Another: ', echo: false }], () => undefined)
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
    expect(asked).toHaveLength(1)
  })

  it('stays connected where it admits before the person has answered', async () => {
    const { opening, asks, askpass, attempt } = await waiting()
    attempt.accept()
    const outcome = await opening
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    let lost: string | undefined
    outcome.connection.onLost((reason) => (lost = reason))
    asks.close()
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
    expect(await outcome.connection.exec('true')).toMatchObject({ kind: 'finished', isRefused: true })
    expect(lost).toBeUndefined()
  })

  it('is left, and the question with it, where the sign-in is given up', async () => {
    const machine = await hostile(taking)
    const { opening, asks, asked, closing, askpass } = await begin(machine, nobody)
    await expect.poll(() => asked.length).toBe(1)
    asks.close()
    closing.abort()
    expect(await opening).toMatchObject({ kind: 'not-reached' })
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
    expect(machine.sent).toEqual([])
  })

  it('keeps its host key, still unseen, where the sign-in is given up before that is judged', async () => {
    const machine = await hostile(taking)
    const known = machine.known.map((key) => ({ ...key, isUnseen: true as const }))
    const { opening, asks, asked, recordUnseen, recorded } = await begin({ ...machine, known }, nobody)
    for (const key of machine.known) await recordUnseen(key)
    await expect.poll(() => asked.length).toBe(1)
    asks.close()
    expect(await opening).toEqual({ kind: 'key-refused' })
    expect(await recorded()).toEqual(known)
    expect(machine.sent).toEqual([])
  })

  it('is not asked about once its account is forgotten', async () => {
    const machine = await hostile(taking)
    const { opening, asked, askpass } = await begin(machine, nobody)
    await expect.poll(() => asked.length).toBe(1)
    askpass.forgetAccount(account)
    expect(await opening).toEqual({ kind: 'key-refused' })
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
  })
})
