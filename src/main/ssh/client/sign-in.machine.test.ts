import ssh2, { type AuthContext } from 'ssh2'
import { describe, expect, it } from 'vitest'
import {
  asking,
  hostile,
  kinds,
  nobody,
  parsed,
  secret,
  signInHarness,
  taking,
  types,
} from '../../../../test/fixtures/sign-in-harness'
import { account } from '../../../../test/fixtures/ssh-harness'
import { fingerprint } from './host-key'
import { connectionLimits } from './target'

const { begin, signIn } = signInHarness()

describe('a machine that asks for a password', () => {
  it('gets none if its host key has changed', async () => {
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
  ])('gets %s once the user has seen its host key', async (_, own, decide, questions) => {
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

  it('has a time limit that stops while the user answers', async () => {
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

  it('does not extend its time limit by empty questions', async () => {
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

  it('causes questions behind a jump host, which itself causes none', async () => {
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
    expect(refused.outcome).toMatchObject({ kind: 'key-refused', isJump: true })
    expect([...refused.asked, ...refusing.sent]).toEqual([])
  })

  /** A machine that has asked, and waits for the test. */
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

  it('is disconnected if it refuses before the user has answered', async () => {
    const { opening, attempt } = await waiting()
    attempt.reject(['password'])
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
  })

  it('is disconnected if it asks again before the user has answered', async () => {
    const { opening, attempt, asked } = await waiting()
    if (attempt.method === 'keyboard-interactive')
      attempt.prompt([{ prompt: 'Another: ', echo: false }], () => undefined)
    expect(await opening).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
    expect(asked).toHaveLength(1)
  })

  it('stays connected if it accepts before the user has answered', async () => {
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

  it('is disconnected, and its question closed, if the sign-in is cancelled', async () => {
    const machine = await hostile(taking)
    const { opening, asks, asked, closing, askpass } = await begin(machine, nobody)
    await expect.poll(() => asked.length).toBe(1)
    asks.close()
    closing.abort()
    expect(await opening).toMatchObject({ kind: 'not-reached' })
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
    expect(machine.sent).toEqual([])
  })

  it('keeps its unseen host key if the sign-in is cancelled', async () => {
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

  it('causes no question once its account is removed', async () => {
    const machine = await hostile(taking)
    const { opening, asked, askpass } = await begin(machine, nobody)
    await expect.poll(() => asked.length).toBe(1)
    askpass.forgetAccount(account)
    expect(await opening).toEqual({ kind: 'key-refused' })
    expect(await askpass.handlers['askpass.questions']({})).toEqual([])
  })
})
