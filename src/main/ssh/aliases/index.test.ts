import { chmodSync, existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { account, machine, other } from '../../../../test/fixtures/ssh-harness'
import { sshAliasesHarness } from '../../../../test/fixtures/ssh-aliases-harness'
import { accountView } from '../../../../test/gallery/world'
import type { MachineView } from '#shared/bridge/fleet'

const { aliasesOf, inSsh, path, put, read } = sshAliasesHarness()
const train = machine({ name: 'train-01' })
const fleet = (...machines: readonly MachineView[]) => new Map([[account, machines]])
const hosts = (): readonly string[] => [...read().matchAll(/^Host (.*)$/gm)].map(([, name]) => name ?? '')

describe('aliases', () => {
  it('are off until the user wants them, with a preview', async () => {
    put('Host mine\n')
    const { aliases, view, change } = aliasesOf(fleet(train, machine({ id: 'm2', name: 'mine' })))
    change()
    expect(await view()).toMatchObject({
      enabled: false,
      included: false,
      line: 'Include wheelhouse.conf',
      failure: null,
      aliases: [{ account, machine: 'm1', alias: 'train-01' }],
      leftOut: [{ account, machine: 'm2', name: 'mine', reason: 'in-use' }],
    })
    expect(await aliases.handlers['sshAliases.preview']({})).toContain('Host train-01\n  HostName 10.0.0.5\n')
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
    expect(read('config')).toBe('Host mine\n')
  })

  it('are written for their owner only, and leave nothing when switched off', async () => {
    put('Host mine\n')
    const { enable } = aliasesOf(fleet(train))
    expect(await enable(true)).toMatchObject({ enabled: true, included: true })
    expect(hosts()).toEqual(['train-01'])
    expect(statSync(inSsh('wheelhouse.conf')).mode & 0o777).toBe(0o600)
    expect(read('config')).toBe('Include wheelhouse.conf\nHost mine\n')
    expect(await enable(false)).toMatchObject({ enabled: false, included: false })
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
    expect(read('config')).toBe('Host mine\n')
  })

  it('follow changes of machines, addresses and SSH settings', async () => {
    const known = fleet(train)
    const { enable, change, ssh } = aliasesOf(known)
    await enable(true)
    known.set(account, [{ ...train, address: '10.0.0.9' }, machine({ id: 'm2', name: 'eval' })])
    change()
    await expect.poll(hosts).toEqual(['eval', 'train-01'])
    expect(read()).toContain('HostName 10.0.0.9')
    await ssh.configure(account, 'm1', { user: 'jane' })
    change()
    await expect.poll(() => read()).toContain('User jane')
    known.set(account, [])
    change()
    await expect.poll(hosts).toEqual([])
  })

  it('follow a renamed machine and drop its old name', async () => {
    const known = fleet(train)
    const { enable, change, view, aliases } = aliasesOf(known)
    await enable(true)
    known.set(account, [{ ...train, name: 'eval' }])
    change()
    await expect.poll(hosts).toEqual(['eval'])
    expect(await aliases.aliasOf(account, 'm1')).toBe('eval')
    known.set(account, [{ ...train, name: 'odd name' }])
    change()
    await expect.poll(hosts).toEqual([])
    expect(await view()).toMatchObject({ leftOut: [{ name: 'odd name', reason: 'name' }] })
    expect(await aliases.aliasOf(account, 'm1')).toBeNull()
  })

  it('are not written again without a change', async () => {
    const { enable, aliases, change, view } = aliasesOf(fleet(train))
    await enable(true)
    utimesSync(inSsh('wheelhouse.conf'), 1, 1)
    change()
    await aliases.forgetAccount(other)
    await view()
    expect(statSync(inSsh('wheelhouse.conf')).mtimeMs).toBe(1_000)
  })

  it('of an unread account stay until it signs out', async () => {
    const known = fleet(train)
    const first = aliasesOf(known)
    await first.enable(true)
    await first.close()
    known.delete(account)
    const { aliases, accounts, change } = aliasesOf(known)
    accounts.set(other, accountView({ id: other }))
    known.set(other, [machine({ name: 'other-01' })])
    aliases.start()
    await expect.poll(hosts).toEqual(['other-01', 'train-01'])
    accounts.set(account, accountView({ id: account, state: 'signed-out', staysSignedIn: false }))
    change()
    await expect.poll(hosts).toEqual(['other-01'])
    known.delete(other)
    accounts.delete(other)
    await aliases.forgetAccount(other)
    expect(hosts()).toEqual([])
  })

  it('stay for an instance of which only the id is known', async () => {
    const known = fleet(train)
    const { enable, unread, change } = aliasesOf(known)
    await enable(true)
    unread.add('m1')
    known.set(account, [{ ...train, address: null }, machine({ id: 'm2', name: 'eval' })])
    change()
    await expect.poll(hosts).toEqual(['eval', 'train-01'])
  })

  it('are not added again after the user removed the line', async () => {
    put('')
    const { enable, view, change, aliases } = aliasesOf(fleet(train))
    await enable(true)
    put('')
    change()
    await aliases.forgetAccount(other)
    expect(await view()).toMatchObject({ enabled: true, included: false })
    expect(read('config')).toBe('')
  })
})

describe('a configuration that cannot be changed', () => {
  const reason = expect.stringContaining('config')

  it('keeps aliases off and shows the reason', async () => {
    put('Host mine\n')
    chmodSync(inSsh('config'), 0o400)
    const { enable, view } = aliasesOf(fleet(train))
    await expect(enable(true)).rejects.toMatchObject({ failure: { kind: 'local-fault', reason } })
    expect(await view()).toMatchObject({ enabled: false, included: false })
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
  })

  it('stays unchanged if the switch can’t be stored', async () => {
    put('Host mine\n')
    const { enable, view } = aliasesOf(fleet(train))
    writeFileSync(path('settings'), '')
    await expect(enable(true)).rejects.toMatchObject({ failure: { kind: 'local-fault' } })
    expect(await view()).toMatchObject({ enabled: false, included: false })
    expect(read('config')).toBe('Host mine\n')
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
  })

  it('shows a later failure in the view until it is repaired', async () => {
    put('Host mine\n')
    const { enable, view, aliases } = aliasesOf(fleet(train))
    await enable(true)
    writeFileSync(inSsh('config'), '\0')
    await aliases.forgetAccount(other)
    expect(await view()).toMatchObject({ included: false, failure: { kind: 'local-fault', reason } })
    rmSync(inSsh('config'))
    await aliases.forgetAccount(other)
    expect(await view()).toMatchObject({ failure: null })
  })
})
