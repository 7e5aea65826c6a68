import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askpassHarness } from '../../../../test/fixtures/askpass-harness'
import { makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { addSystemAccount } from '../../../../test/fixtures/system-account'
import { describeWith } from '../../../../test/fixtures/system-requirements'

// No other computer's, and hard for every program on its way.
const secret = `canary-$(id) "pass" wörd ${randomBytes(8).toString('hex')}`

/** OpenSSH's own server, which checks passwords of this computer's accounts in this way. */
async function serve(set: Readonly<Record<string, string>>) {
  const folder = temporaryFolder()
  const [hostKey, stranger] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'stranger'))]
  const server = await startSshd({ hostKeys: [hostKey], admits: stranger, command: 'echo in', set })
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  return server
}

describeWith(['ssh', 'sshd', 'accounts'], 'the password of an account, on OpenSSH’s own server', () => {
  it.each([
    ['password', { PasswordAuthentication: 'yes', UsePAM: 'no' }],
    ['keyboard-interactive/pam', { KbdInteractiveAuthentication: 'yes', UsePAM: 'yes' }],
  ])('signs in by %s, and the user is asked after a wrong one', async (method, set) => {
    const { port, logged, log } = await serve(set)
    const user = addSystemAccount(secret)
    const harness = await askpassHarness({ password: secret })
    expect(await harness.ssh({ user, port })).toMatchObject({ status: 0, out: 'in\n' })
    await logged(new RegExp(`Accepted ${method} for ${user} `))
    expect(harness.asked).toEqual([])
    harness.holdsNo('canary')

    const old = await askpassHarness({
      password: 'canary-of-old',
      person: () => ({ answer: secret, keep: 'no' }),
    })
    expect(await old.ssh({ user, port })).toMatchObject({ status: 0, out: 'in\n' })
    expect(old.asked).toHaveLength(1)
    old.holdsNo('canary')
    expect(log()).not.toContain('canary')
  })

  it('keeps the machine closed if the user enters none', async () => {
    const { port, log } = await serve({ PasswordAuthentication: 'yes' })
    const user = addSystemAccount(secret)
    const harness = await askpassHarness({ person: () => null })
    const refused = await harness.ssh({ user, port })
    expect(refused.status).toBe(255)
    expect(refused.said).toContain('Permission denied')
    expect(log()).not.toContain('Accepted')
  })
})
