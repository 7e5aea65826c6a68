import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { realTerminals } from '../../../../test/fixtures/real-terminals'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { account } from '../../../../test/fixtures/ssh-harness'
import { makeKey, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { openSettings } from '../../store/settings'
import { createSshKeys } from './index'

const { user, host, serve, openTerminal } = realTerminals()

/** A home, and keys of it that open nothing. */
function home() {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.ssh'), { mode: 0o700 })
  const others = Array.from({ length: 7 }, (_, index) => makeKey(join(folder, `other${String(index)}`)))
  const open = (socket: string) => {
    const env = { ...process.env, SSH_AUTH_SOCK: socket }
    const keys = createSshKeys({
      folder: join(folder, 'data'),
      home: folder,
      platform: process.platform,
      env,
      documents: openSettings(join(folder, 'documents')),
      askpass: { listenForNewKey: () => Promise.resolve(null) },
      machineName: () => 'trainer',
    })
    const opening = async () =>
      (await keys.handlers['sshKeys.list']({})).keys.filter(({ machines }) => machines.length > 0)
    return { env, keys, opening }
  }
  return { folder, others, open }
}

describeWith(['sshd', 'ssh'], 'the first terminal at a server that hangs up after three keys', () => {
  const strict = { MaxAuthTries: '3' }

  it('opens with the seventh of eight keys in the agent, which the keys page then shows', async () => {
    const { others, open } = home()
    const { env, keys, opening } = open(await runAgent([...others.slice(0, 6), user, ...others.slice(6)]))
    const server = await serve(host, undefined, strict)
    const terminal = await openTerminal(server, {}, env, { keys, identityFile: null })
    terminal.type('echo $((6 * 7))\r')
    await terminal.shows('42\r\n')
    expect(await opening()).toMatchObject([
      { path: null, inAgent: true, machines: [{ account, machine: 'm1', name: 'trainer' }] },
    ])
    expect(server.log().match(/Accepted publickey/g)).toHaveLength(1)
  })

  it.each(['in the agent', 'beside its file'])('opens with a certificate %s', async (place) => {
    const { folder, others, open } = home()
    const authority = makeKey(join(folder, 'ca'))
    const key = makeKey(join(folder, '.ssh', 'id_rsa'), 'rsa')
    const server = await serve(host, undefined, { ...strict, TrustedUserCAKeys: `${authority}.pub` })
    execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'jane', '-n', server.user, `${key}.pub`])
    const isHeld = place === 'in the agent'
    const { env, keys, opening } = open(await runAgent(isHeld ? [...others, key] : others))
    if (isHeld) rmSync(join(folder, '.ssh'), { recursive: true })
    const terminal = await openTerminal(server, {}, env, { keys, identityFile: null })
    terminal.type('echo $((6 * 7))\r')
    await terminal.shows('42\r\n')
    expect(server.log()).toMatch(/Accepted certificate ID "jane"/)
    expect(await opening()).toMatchObject([{ path: isHeld ? null : key, machines: [{ machine: 'm1' }] }])
  })
})
