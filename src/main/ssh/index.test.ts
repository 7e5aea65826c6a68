import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { account, invalid, machine, other, sshHarness } from '../../../test/fixtures/ssh-harness'

const { bin, home, keyFile, knownHosts, path, sshOf } = sshHarness()

/** A system that has every program that Connect starts. */
const installPrograms = (): void => {
  for (const name of ['ssh', 'xterm']) writeFileSync(join(bin(), name), '#!/bin/sh\n', { mode: 0o755 })
}

describe('the connection of a machine', () => {
  it('is what the service reports until the user changes it', async () => {
    installPrograms()
    await expect(sshOf().handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toEqual({
      machine: 'm1',
      user: 'ubuntu',
      host: '10.0.0.5',
      port: 22,
      identityFile: null,
      jumpHost: null,
      forwardAgent: false,
      options: null,
      command: 'ssh ubuntu@10.0.0.5',
      hostKey: null,
      settings: { user: null, port: null, identityFile: null },
      terminal: expect.anything(),
      offersInside: true,
      usesOwnClient: true,
    })
  })

  it('has no command while user or host is unknown or not plain', async () => {
    const ssh = sshOf([
      machine({ id: 'bare', username: null }),
      machine({ id: 'young', address: null }),
      machine({ id: 'odd', address: '$(reboot)' }),
    ])
    for (const id of ['bare', 'young', 'odd']) {
      const view = await ssh.handlers['ssh.connection']({ account, machine: id })
      expect(view.command).toBeNull()
    }
    await expect(ssh.handlers['ssh.connection']({ account, machine: 'odd' })).resolves.toMatchObject({
      host: '$(reboot)',
    })
  })

  it('is unknown for an unknown machine', async () => {
    await expect(
      (async () => sshOf().handlers['ssh.connection']({ account, machine: 'constructor' }))(),
    ).rejects.toThrow(invalid('machine', 'unknown'))
  })

  it('remembers the settings of one machine of one account', async () => {
    const machines = [machine(), machine({ id: 'm2' })]
    const { handlers } = sshOf(machines)
    const identityFile = keyFile('work key')
    await handlers['ssh.configure']({ account, machine: 'm1', user: ' jane ', port: 2222, identityFile })
    const again = sshOf(machines).handlers
    await expect(again['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'jane',
      port: 2222,
      identityFile,
      settings: { user: 'jane', port: 2222, identityFile },
      command: `ssh -p 2222 -i '${identityFile}' -o IdentitiesOnly=yes jane@10.0.0.5`,
    })
    await expect(again['ssh.connection']({ account, machine: 'm2' })).resolves.toMatchObject({
      user: 'ubuntu',
    })
    await expect(again['ssh.connection']({ account: other, machine: 'm1' })).resolves.toMatchObject({
      user: 'ubuntu',
    })
  })

  it('falls back to the service’s value for a cleared setting, and keeps the other settings', async () => {
    const { handlers } = sshOf()
    await handlers['ssh.configure']({ account, machine: 'm1', user: 'jane', port: 2222 })
    await expect(handlers['ssh.configure']({ account, machine: 'm1', user: null })).resolves.toMatchObject({
      user: 'ubuntu',
      port: 2222,
    })
    await handlers['ssh.configure']({ account, machine: 'm1', port: null })
    expect(readFileSync(path('settings', 'settings.json'), 'utf8')).not.toContain('m1')
  })

  it.each([
    [{ user: '-oProxyCommand=sh' }, 'user', 'not-a-user-name'],
    [{ user: '' }, 'user', 'required'],
    [{ port: 0 }, 'port', 'not-a-port'],
    [{ port: 22.5 }, 'port', 'not-a-port'],
    [{ identityFile: '/nowhere/key' }, 'identityFile', 'not-a-file'],
    [{ identityFile: '/nowhere/${HOME}' }, 'identityFile', 'malformed'],
  ])('refuses %j and keeps the settings', async (change, field, reason) => {
    const { handlers } = sshOf()
    await handlers['ssh.configure']({ account, machine: 'm1', user: 'jane' })
    await expect(
      (async () => handlers['ssh.configure']({ account, machine: 'm1', ...change }))(),
    ).rejects.toThrow(invalid(field, reason))
    await expect((async () => handlers['ssh.configureAccount']({ account, ...change }))()).rejects.toThrow(
      invalid(field, reason),
    )
    await expect(handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'jane',
      port: 22,
      identityFile: null,
    })
  })

  it('uses the identity file from the dialog, unless the user cancels', async () => {
    const file = keyFile('id_ed25519')
    const choose = (chosen: string | null) =>
      sshOf([machine()], { file: chosen }).handlers['ssh.chooseIdentity']({ account, machine: 'm1' })
    await expect(choose(file)).resolves.toMatchObject({ identityFile: file })
    await expect(choose(null)).resolves.toMatchObject({ identityFile: file })
    await expect((async () => choose(join(home(), '.ssh')))()).rejects.toThrow(
      invalid('identityFile', 'not-a-file'),
    )
  })
})

describe('the defaults of an account', () => {
  it('are what the account provides until the user sets their own', async () => {
    const identityFile = keyFile('sandbox')
    const brought = { port: 2022, identityFile }
    const { handlers } = sshOf([machine()], { brought })
    expect(await handlers['ssh.defaults']({ account })).toEqual({ user: null, port: 2022, identityFile })
    await expect(handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'ubuntu',
      port: 2022,
      identityFile,
    })
    await expect(handlers['ssh.configureAccount']({ account, user: 'root', port: 22 })).resolves.toEqual({
      user: 'root',
      port: 22,
      identityFile,
    })
    await expect(handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'root',
      port: 22,
    })
    await handlers['ssh.configure']({ account, machine: 'm1', port: 2200 })
    await expect(handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'root',
      port: 2200,
      settings: { user: null, port: 2200, identityFile: null },
    })
    // A setting that equals the account's own is no setting: the port may differ after the next start.
    await handlers['ssh.configureAccount']({ account, port: 2022 })
    brought.port = 2023
    expect((await handlers['ssh.defaults']({ account })).port).toBe(2023)
    await handlers['ssh.configureAccount']({ account, user: null, port: null })
    await expect(handlers['ssh.connection']({ account, machine: 'm1' })).resolves.toMatchObject({
      user: 'ubuntu',
      port: 2200,
    })
  })

  it('are an account’s own', async () => {
    const { handlers } = sshOf()
    await handlers['ssh.configureAccount']({ account, user: 'root' })
    expect(await handlers['ssh.defaults']({ account: other })).toEqual({
      user: null,
      port: null,
      identityFile: null,
    })
  })
})

describe('a connection that the window has read', () => {
  it('is sent when it changes, and no other connection', async () => {
    const machines = [machine(), machine({ id: 'm2' }), machine({ id: 'm3' })]
    const ssh = sshOf(machines)
    const pushed: string[] = []
    ssh.events['ssh.changed'](({ account: of, connection: { machine: id, user, hostKey } }) =>
      pushed.push(`${of === account ? '' : 'other '}${id} ${user ?? ''} ${hostKey?.slice(0, 6) ?? ''}`),
    )
    for (const id of ['m1', 'm2']) await ssh.handlers['ssh.connection']({ account, machine: id })
    await ssh.configure(account, 'm3', { user: 'jane' })
    expect(pushed).toEqual([])
    await ssh.configure(account, 'm1', { user: 'jane' })
    expect(pushed.splice(0)).toEqual(['m1 jane '])
    await ssh.handlers['ssh.configureAccount']({ account, user: 'root' })
    expect(pushed.splice(0)).toEqual(['m2 root '])
    await ssh.record(account, 'm2', { type: 'ssh-ed25519', blob: 'AAAA' })
    await expect.poll(() => pushed).toEqual(['m2 root SHA256'])
    machines.pop()
    await ssh.handlers['ssh.configureAccount']({ account, port: 2222 })
    expect(pushed.slice(1)).toEqual(['m1 jane ', 'm2 root SHA256'])
    await ssh.forgetAccount(account)
    expect(pushed).toHaveLength(3)
    await ssh.close()
  })
})

describe('terminals', () => {
  const terminal = (name: string): string => {
    const path = join(bin(), name)
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
    return path
  }

  it('are all listed, with the paths of installed ones', async () => {
    const path = terminal('alacritty')
    const list = await sshOf().handlers['ssh.terminals']({})
    expect(list).toContainEqual({ id: 'alacritty', name: 'Alacritty', path })
    expect(list).toContainEqual({ id: 'terminator', name: 'Terminator', path: null })
  })

  it('include the user’s choice, else the best installed terminal', async () => {
    terminal('alacritty')
    terminal('konsole')
    const name = async (chosen: string | null) =>
      (
        await sshOf([machine()], { terminal: chosen }).handlers['ssh.connection']({
          account,
          machine: 'm1',
        })
      ).terminal
    await expect(name(null)).resolves.toBe('Alacritty')
    await expect(name('konsole')).resolves.toBe('Konsole')
    await expect(name('terminator')).resolves.toBe('Alacritty')
  })

  it('that need Wayland are offered only under Wayland', async () => {
    terminal('foot')
    const list = await sshOf().handlers['ssh.terminals']({})
    expect(list).toContainEqual({ id: 'foot', name: 'foot', path: null })
  })
})

describe('connecting', () => {
  it.each([
    [{ address: '-oProxyCommand=sh' }, 'host', 'not-a-host'],
    [{ address: '10.0.0.5;reboot' }, 'host', 'not-a-host'],
    [{ address: null }, 'host', 'required'],
    [{ username: '-l' }, 'user', 'not-a-user-name'],
    [{ username: 'a;b' }, 'user', 'not-a-user-name'],
    [{ username: null }, 'user', 'required'],
  ])('refuses a machine with %j before any question or window', async (change, field, reason) => {
    const ssh = sshOf([machine(change)])
    await expect(ssh.connect(account, 'm1')).rejects.toThrow(invalid(field, reason))
    expect(existsSync(knownHosts())).toBe(false)
  })

  it('refuses an identity file that is gone', async () => {
    installPrograms()
    const identityFile = keyFile('gone')
    const ssh = sshOf([machine({ address: '127.0.0.1' })])
    await ssh.handlers['ssh.configure']({ account, machine: 'm1', identityFile })
    rmSync(identityFile)
    await expect(ssh.connect(account, 'm1')).rejects.toThrow(invalid('identityFile', 'not-a-file'))
  })
})

describe('forgetting', () => {
  const line = (alias: string) =>
    `${alias} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOvHQ7LsKvCJCqPUmtjudK+P/QdSMEGg1Y8tuJMzauyJ\n`
  const record = () => {
    mkdirSync(path('user data'))
    const aliases = [`m1.${account}`, `m2.${account}`, `m1.${other}`].map((name) => `${name}.wheelhouse`)
    writeFileSync(knownHosts(), aliases.map(line).join(''))
  }

  it('a host key drops the key of one machine', async () => {
    record()
    const { handlers } = sshOf([machine(), machine({ id: 'm2' })])
    const before = await handlers['ssh.connection']({ account, machine: 'm1' })
    expect(before.hostKey).toMatch(/^SHA256:/)
    await expect(handlers['ssh.forgetHostKey']({ account, machine: 'm1' })).resolves.toEqual({
      ...before,
      hostKey: null,
    })
    await expect(handlers['ssh.connection']({ account, machine: 'm2' })).resolves.toMatchObject({
      hostKey: before.hostKey,
    })
    expect(statSync(knownHosts()).mode & 0o777).toBe(0o600)
  })

  it('an account drops only its own host keys and settings', async () => {
    record()
    const ssh = sshOf()
    for (const id of [account, other]) {
      await ssh.handlers['ssh.configure']({ account: id, machine: 'm1', user: 'jane' })
      await ssh.handlers['ssh.configureAccount']({ account: id, port: 2222 })
    }
    await ssh.forgetAccount(account)
    const settings = readFileSync(path('settings', 'settings.json'), 'utf8')
    const hosts = readFileSync(knownHosts(), 'utf8')
    expect(settings + hosts).not.toContain(account)
    await expect(ssh.handlers['ssh.connection']({ account: other, machine: 'm1' })).resolves.toMatchObject({
      user: 'jane',
      port: 2222,
      hostKey: expect.stringMatching(/^SHA256:/),
    })
  })
})
