import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { cancels, kinds, nobody, secret, sshdSignIns, types } from '../../../../test/fixtures/sign-in-harness'
import { addSystemAccount } from '../../../../test/fixtures/system-account'
import { describeWith } from '../../../../test/fixtures/system-requirements'

describeWith(['sshd', 'accounts'], 'a sign-in at OpenSSH’s own server, with a user who answers', () => {
  const { other, serve, signIn } = sshdSignIns()

  it.each([
    ['password', { PasswordAuthentication: 'yes', UsePAM: 'no' }],
    ['keyboard-interactive/pam', { KbdInteractiveAuthentication: 'yes', UsePAM: 'yes' }],
  ])('accepts a %s, also after a wrong one', async (method, set) => {
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

  it('changes an expired password by the machine’s prompts', async () => {
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

  it('sends nothing after the user has cancelled', async () => {
    const { log, ...server } = await serve({ PasswordAuthentication: 'yes' })
    const left = await signIn({ ...server, user: addSystemAccount(secret) }, cancels)
    expect(left.outcome).toEqual({ kind: 'key-refused' })
    expect(left.asks.isUnanswered()).toBe(true)
    expect(left.asked).toHaveLength(1)
    expect(log()).not.toContain('Failed password')
  })

  it('asks for no password if the server accepts none', async () => {
    const refused = await signIn(await serve(), { ...types(secret), identityFile: other })
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(refused.asked).toEqual([])
  })
})
