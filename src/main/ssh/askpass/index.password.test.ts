import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { askpassHarness } from '../../../../test/fixtures/askpass-harness'
import { freePort } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { fingerprint, hostKeyOf } from '../client/host-key'

const secret = 'canary-pass word'

/** A server that takes a password, asked for in ssh's own way or in these words of its own. */
async function serve(prompts: readonly string[] | null) {
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const offered: string[] = []
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      const decide = (text: string): void => {
        offered.push(text)
        if (text === secret) context.accept()
        else context.reject([prompts ? 'keyboard-interactive' : 'password'])
      }
      if (context.method === 'password' && !prompts) decide(context.password)
      else if (context.method === 'keyboard-interactive' && prompts)
        context.prompt(
          prompts.map((prompt) => ({ prompt, echo: false })),
          (answers) => decide(answers.join('|')),
        )
      else context.reject([prompts ? 'keyboard-interactive' : 'password'])
    })
    client.on('ready', () =>
      client.on('session', (accept) =>
        accept().on('shell', (acceptShell) => {
          const channel = acceptShell()
          channel.write('in\n')
          channel.exit(0)
          channel.end()
        }),
      ),
    )
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const key = ssh2.utils.parseKey(hostKey)
  if (key instanceof Error) return expect.fail(key.message)
  return { to: { user: 'ubuntu', port }, offered, key: hostKeyOf(key.getPublicSSH()) }
}

describeWith(['ssh'], 'the machine’s own password', () => {
  it('is sent once, in no argument, environment, log or file; then the user is asked', async () => {
    const { to } = await serve(null)
    const harness = await askpassHarness({ password: secret })
    expect(await harness.ssh(to)).toMatchObject({ status: 0, out: 'in\n' })
    expect(harness.asked).toEqual([])
    harness.holdsNo('canary')
    const wrong = await serve(null)
    const changed = await askpassHarness({
      password: 'canary-of-old',
      person: () => ({ answer: secret, keep: 'keychain' }),
    })
    expect(await changed.ssh(wrong.to)).toMatchObject({ status: 0 })
    expect(wrong.offered).toEqual(['canary-of-old', secret])
    expect(changed.asked).toMatchObject([{ kind: 'password', subject: 'ubuntu@trainer', isAgain: true }])
    expect([...changed.secrets.entries.keys()], 'a typed password is not kept').toEqual([])
    changed.holdsNo('canary')
  })

  it('is sent at first contact only if the user confirms the host key', async () => {
    const { to, offered } = await serve(null)
    let answer: { answer: string; keep: 'no' } | null = null
    const harness = await askpassHarness({
      password: secret,
      isFirstContact: true,
      person: () => answer,
    })
    // Refused, it is a first contact again, though ssh had recorded the key.
    for (const attempt of [1, 2]) {
      expect(await harness.ssh(to)).toMatchObject({ status: 255 })
      expect(harness.asked).toHaveLength(attempt)
    }
    expect(harness.asked[0]?.subject).toMatch(/^SHA256:.{43}$/)
    expect(offered.filter((text) => text !== '')).toEqual([])
    answer = { answer: '', keep: 'no' }
    expect(await harness.ssh(to)).toMatchObject({ status: 0, out: 'in\n' })
    expect(await harness.ssh(to)).toMatchObject({ status: 0 })
    expect(
      harness.asked.map(({ kind }) => kind),
      'once',
    ).toEqual(Array(3).fill('first-contact'))
  })

  it('is sent after the user has seen a host key that the application recorded', async () => {
    const { to, offered, key } = await serve(null)
    const harness = await askpassHarness({
      password: secret,
      isFirstContact: true,
      person: () => ({ answer: '', keep: 'no' }),
    })
    await harness.recordUnseen(key)
    for (let start = 0; start < 2; start += 1)
      expect(await harness.ssh(to)).toMatchObject({ status: 0, out: 'in\n' })
    expect(harness.asked).toMatchObject([{ kind: 'first-contact', subject: fingerprint(key) }])
    expect(await harness.recorded()).toEqual([key])
    expect(offered).toEqual([secret, secret])
  })

  it('is sent after the user has seen a host key that ssh recorded', async () => {
    const { to, offered, key } = await serve(null)
    const harness = await askpassHarness({
      password: secret,
      isFirstContact: true,
      person: () => ({ answer: '', keep: 'no' }),
    })
    // Recorded without a question, as after a sign-in with a key.
    await harness.ssh(to, ['-o', 'PreferredAuthentications=none'])
    expect(harness.asked).toEqual([])
    expect(await harness.recorded()).toMatchObject([{ isUnseen: true }])
    for (let start = 0; start < 2; start += 1)
      expect(await harness.ssh(to)).toMatchObject({ status: 0, out: 'in\n' })
    expect(harness.asked).toMatchObject([{ kind: 'first-contact' }])
    expect(harness.asked[0]?.subject).toBe(fingerprint((await harness.recorded())[0] ?? key))
    expect(offered).toEqual([secret, secret])
  })

  it('is not sent in the background for an unseen host key, which stays recorded', async () => {
    const { to, offered, key } = await serve(null)
    const harness = await askpassHarness({ password: secret, isFirstContact: true, isSilent: true })
    await harness.recordUnseen(key)
    expect(await harness.ssh(to)).toMatchObject({ status: 255 })
    expect(offered.filter((text) => text !== '')).toEqual([])
    expect(harness.asked).toEqual([])
    expect(await harness.recorded()).toEqual([{ ...key, isUnseen: true }])
  })

  it('is sent if the machine asks by keyboard-interactive', async () => {
    const { to } = await serve(['Password: '])
    const harness = await askpassHarness({ password: secret })
    expect(await harness.ssh(to)).toMatchObject({ status: 0, out: 'in\n' })
    expect(harness.asked).toEqual([])
  })

  it.each([
    ['for another host', "root@github.com's password: "],
    ['in ssh’s own words', "ubuntu@m1.abcdefghijkl.wheelhouse's password: "],
    ['for a passphrase', "Enter passphrase for key '/home/jane/.ssh/id_ed25519': "],
    ['as an option of Chromium', '--gpu-launcher=touch /tmp/wheelhouse-owned'],
    ['in two lines', 'Password: \nreally: '],
    ['for a code', 'Verification code: '],
  ])('is not sent to a machine that asks %s', async (_, prompt) => {
    const { to, offered } = await serve([prompt])
    const harness = await askpassHarness({
      password: 'never',
      person: () => ({ answer: secret, keep: 'keychain' }),
    })
    expect(await harness.ssh(to)).toMatchObject({ status: 0 })
    expect(offered).toEqual([secret])
    expect(harness.asked).toMatchObject([{ kind: 'other' }])
    expect(harness.asked[0]?.subject).toMatch(/^\(ubuntu@m1\.abcdefghijkl\.wheelhouse\) /)
    expect([...harness.secrets.entries.keys()]).toEqual([])
  })
})
