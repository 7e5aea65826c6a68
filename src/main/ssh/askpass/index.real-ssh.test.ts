import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { askpassHarness, type AskpassOptions } from '../../../../test/fixtures/askpass-harness'
import { account } from '../../../../test/fixtures/ssh-harness'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { askpassVariables } from './protocol'

const passphrase = 'canary $(touch x) "\' é passphrase'
const root = temporaryFolder()
const [host, plain, locked] = [join(root, 'host'), join(root, 'plain'), join(root, "it's locked")] as const
beforeAll(() => {
  for (const path of [host, plain, locked]) makeKey(path)
  execFileSync('ssh-keygen', ['-q', '-p', '-N', passphrase, '-f', locked])
})
afterAll(() => rmSync(root, { recursive: true }))

async function serve(admits: string, set: Readonly<Record<string, string>> = {}) {
  const server = await startSshd({ hostKeys: [host], admits, command: 'echo in', set })
  onTestFinished(() => server.close())
  return server
}
const unlock = (options: AskpassOptions = {}) =>
  askpassHarness({ person: () => ({ answer: passphrase, keep: 'no' }), ...options })

describeWith(['sshd', 'ssh'], 'questions of a real ssh', () => {
  it('ask once for a key’s passphrase, which is neither stored nor visible', async () => {
    const { user, port, log } = await serve(locked)
    const harness = await unlock()
    expect(await harness.ssh({ user, port, identityFile: locked })).toMatchObject({ status: 0, out: 'in\n' })
    expect(harness.asked).toMatchObject([
      { kind: 'passphrase', subject: locked, isAgain: false, machine: 'trainer' },
    ])
    harness.holdsNo('canary')
    expect(log()).not.toContain('canary')
    await harness.ssh({ user, port, identityFile: locked })
    expect(harness.asked).toHaveLength(2)
    await expect.poll(harness.sockets).toEqual([])
  })

  it('are answered by a stored passphrase, which is dropped once it is wrong', async () => {
    const { user, port } = await serve(locked)
    const answers = ['wrong', passphrase]
    const harness = await unlock({ person: () => ({ answer: answers.shift() ?? '', keep: 'keychain' }) })
    const to = { user, port, identityFile: locked }
    expect(await harness.ssh(to)).toMatchObject({ status: 0 })
    expect(harness.asked.map(({ isAgain }) => isAgain)).toEqual([false, true])
    expect(await harness.ssh(to)).toMatchObject({ status: 0 })
    expect(harness.asked).toHaveLength(2)
    harness.holdsNo('canary')
    expect(await harness.askpass.handlers['askpass.state']({})).toMatchObject({ kept: 1, asks: 'window' })
    await harness.askpass.handlers['askpass.forget']({})
    expect([...harness.secrets.entries.keys()]).toEqual([])
    await harness.ssh(to)
    expect(harness.asked).toHaveLength(3)
  })

  it('are not asked if the agent or a certificate opens the machine', async () => {
    const agent = await serve(plain)
    const socket = await runAgent([plain])
    const held = await unlock({ env: { ...process.env, SSH_AUTH_SOCK: socket } })
    expect(await held.ssh(agent)).toMatchObject({ status: 0, out: 'in\n' })
    const [authority, own] = [makeKey(join(root, 'authority')), makeKey(join(root, 'own'))]
    execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'jane', '-n', agent.user, `${own}.pub`])
    const certified = await serve(plain, { TrustedUserCAKeys: `${authority}.pub` })
    const harness = await unlock()
    expect(await harness.ssh({ ...certified, identityFile: own })).toMatchObject({ status: 0, out: 'in\n' })
    expect([...held.asked, ...harness.asked]).toEqual([])
  })

  it('end for an account that is removed', async () => {
    const { user, port } = await serve(locked)
    const harness = await unlock({ person: () => undefined })
    const ended = harness.ssh({ user, port, identityFile: locked })
    await expect.poll(() => harness.asked.length).toBe(1)
    harness.askpass.forgetAccount(account)
    expect(await ended).toMatchObject({ status: 255 })
    expect(await harness.askpass.handlers['askpass.questions']({})).toEqual([])
    expect(harness.sockets()).toEqual([])
  })

  it('are not asked if the application quits before', async () => {
    const { askpass } = await unlock()
    const listening = askpass.listenForNewKey('canary')
    askpass.close()
    const endpoint = await listening
    const socket = endpoint?.env[askpassVariables.socket] ?? expect.fail('no socket')
    expect(existsSync(socket)).toBe(false)
  })

  it('leave the machine closed if cancelled, and never confirm a host key', async () => {
    const { user, port } = await serve(locked)
    const harness = await unlock({ person: () => null })
    const refused = await harness.ssh({ user, port, identityFile: locked })
    expect(refused.status).toBe(255)
    expect(refused.said).toContain('Permission denied')
    const strict = ['-o', 'StrictHostKeyChecking=ask', '-o', `UserKnownHostsFile=${join(root, 'none')}`]
    const asking = await harness.ssh({ user, port, identityFile: plain }, strict)
    expect(asking.said).toContain('Host key verification failed')
    expect(harness.asked.filter(({ kind }) => kind === 'other')).toEqual([])
  })
})
