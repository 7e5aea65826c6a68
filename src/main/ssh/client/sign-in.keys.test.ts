import bcrypt from 'bcrypt-pbkdf'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AskpassOptions } from '../../../../test/fixtures/askpass-harness'
import {
  kinds,
  lock,
  parsed,
  passphrase,
  secret,
  sshdSignIns,
  types,
} from '../../../../test/fixtures/sign-in-harness'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { makeKey } from '../../../../test/fixtures/sshd'
import { addSystemAccount } from '../../../../test/fixtures/system-account'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { yieldToEventLoop } from '../../core/clock'
import { connectionLimits } from './target'

describeWith(
  ['sshd', 'accounts'],
  'a sign-in with a key at OpenSSH’s own server, with a user who answers',
  () => {
    const { at, begin, plain, locked, other, serve, admitting, signIn } = sshdSignIns()

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

    it('asks for a passphrase at once without a public half', async () => {
      const key = lock(makeKey(at('alone'), 'rsa'), '-m', 'PEM')
      const machine = await serve({}, key)
      rmSync(`${key}.pub`)
      const opened = await signIn(machine, { identityFile: key, ...types(passphrase) })
      expect(opened.outcome.kind).toBe('connected')
      expect(kinds(opened.asked)).toEqual(['passphrase'])
    })

    it('asks for no passphrase of a key that the machine refuses', async () => {
      const refused = await signIn(await serve(), { identityFile: locked, ...types(passphrase) })
      expect(refused.outcome).toEqual({ kind: 'key-refused' })
      expect(refused.asked).toEqual([])
    })

    it('asks for no passphrase of a key with unsupported encryption', async () => {
      const key = lock(makeKey(at('poly')), '-Z', 'chacha20-poly1305@openssh.com')
      const refused = await signIn(await serve({}, key), { identityFile: key, ...types(passphrase) })
      expect(refused.offer).toEqual({ kind: 'key-unusable', path: key, why: 'encrypted' })
      expect(refused.asked).toEqual([])
    })

    describe('that is unlocking a key', () => {
      const derived = () => {
        const hash = vi.spyOn(bcrypt, 'hash')
        onTestFinished(() => hash.mockRestore())
        return () => hash.mock.calls.length
      }
      const slow = at('slow')
      beforeAll(() => {
        lock(makeKey(slow), '-a', '60')
      })

      it('stops the machine’s clock', async () => {
        const steps = derived()
        const begun = await begin(await serve({}, slow), { identityFile: slow, ...types(passphrase) })
        await expect.poll(steps).toBeGreaterThan(1)
        expect(begun.clock.pending()).toBe(0)
        begun.clock.advance(connectionLimits.ready)
        expect((await begun.opening).kind).toBe('connected')
      })

      it('stops unlocking once it is cancelled', async () => {
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
      'continues with the password after %s',
      async (_, person, times) => {
        const server = await serve({ PasswordAuthentication: 'yes', ...admitting(locked) })
        const machine = { ...server, user: addSystemAccount(secret) }
        const opened = await signIn(machine, { identityFile: locked, ...person })
        expect(opened.outcome.kind).toBe('connected')
        expect(kinds(opened.asked)).toEqual([...Array(times).fill('passphrase'), 'password'])
      },
    )

    it('stores a passphrase if the user wants that, and asks again once it is wrong', async () => {
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

    it.each(['file', 'agent', 'locked file'])('answers a second factor after a key of %s', async (where) => {
      const server = await serve({
        PasswordAuthentication: 'yes',
        AuthenticationMethods: 'publickey,password',
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
  },
)
