import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskpassQuestion } from '#shared/bridge/askpass'
import { askpassHarness } from '../../../test/fixtures/askpass-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { fakeNetwork } from '../../../test/fixtures/fake-network'
import { filesHarness } from '../../../test/fixtures/files-harness'
import { noKeys } from '../../../test/fixtures/no-terminals'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { fingerprintBySsh, makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import { createCommands } from '../commands/index'
import { openSettings } from '../store/settings'
import { createTerminals } from '../terminals/index'
import { loadPty } from '../terminals/pty'
import { sshWithTerminals } from '../../../test/fixtures/ssh-with-terminals'

const one = { account, machine: 'm1' }

/** A new machine, its jump host, and a user who trusts a key or not. */
async function setUp(trusts: (question: AskpassQuestion) => boolean, confirmsHostKeys = true) {
  const folder = temporaryFolder()
  const [bin, data, keys] = [join(folder, 'bin'), join(folder, 'data'), join(folder, '.ssh')]
  for (const path of [bin, data, keys]) mkdirSync(path, { mode: 0o700 })
  const [host, jumpHost, own] = [join(folder, 'host'), join(folder, 'jump host'), join(keys, 'id_ed25519')]
  for (const path of [host, jumpHost, own]) makeKey(path)
  // A terminal without a window.
  const script = '#!/bin/sh\nwhile [ "$1" != -e ]; do shift; done\nshift\nexec "$@"\n'
  writeFileSync(join(bin, 'xterm'), script, { mode: 0o755 })
  const serve = async (hostKey: string) => {
    const server = await startSshd({ hostKeys: [hostKey], admits: own, command: 'none' })
    onTestFinished(() => server.close())
    return server
  }
  const sshd = await serve(host)
  const { askpass, asked } = await askpassHarness({
    isOwnClient: true,
    person: (question) => (trusts(question) ? { answer: '', keep: 'no' } : null),
  })
  const documents = openSettings(join(folder, 'documents'))
  const pty = await loadPty()
  const known = machine({ address: '127.0.0.1', username: sshd.user })
  const sshOf = (hasPty: boolean) => {
    const terminals = createTerminals({
      loadPty: () => Promise.resolve(hasPty ? pty : null),
      clock: fakeClock(),
      network: fakeNetwork(),
      documents,
    })
    const ssh = sshWithTerminals({
      folder: data,
      home: folder,
      platform: process.platform,
      askpass,
      keys: noKeys,
      terminals,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, SSH_AUTH_SOCK: '' },
      settings: documents,
      terminal: () => 'xterm',
      chooseFile: () => Promise.resolve(null),
      confirmsHostKeys: () => confirmsHostKeys,
      machine: () => known,
      defaults: () => ({ port: sshd.port, identityFile: own }),
      watchFor: 200,
    })
    onTestFinished(async () => {
      terminals.close()
      await ssh.close()
    })
    return ssh
  }
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ssh = sshOf(true)
  const clock = fakeClock()
  const commands = createCommands({
    accounts: { onChange: () => () => undefined },
    sshMachines: sshMachinesOf({ machine: () => known, ssh, clock }),
    clock,
    machine: () => known,
  })
  onTestFinished(() => commands.close())
  const recorded = (): string => {
    const file = join(data, 'known_hosts')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  return { sshd, serve, sshOf, ssh, commands, host, jumpHost, asked, recorded }
}
type World = Awaited<ReturnType<typeof setUp>>

const refused = { failure: { kind: 'host-key-refused', host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) } }
/** Every way to connect, with its result if the key is refused. */
const ways = [
  {
    way: 'a terminal inside',
    connect: ({ ssh }: World) => ssh.handlers['ssh.connect']({ ...one, inside: true }),
    refusal: refused,
  },
  {
    way: 'a terminal outside',
    connect: ({ ssh }: World) => ssh.handlers['ssh.connect'](one),
    refusal: refused,
  },
  {
    way: 'a terminal by the application’s own client',
    connect: ({ sshOf }: World) => sshOf(false).handlers['ssh.connect']({ ...one, inside: true }),
    refusal: refused,
  },
  {
    way: 'a command',
    connect: async ({ commands }: World) => {
      const { state } = await commands.once(account, 'm1', 'true')
      if (state.kind !== 'exited') throw Object.assign(new Error(), { state })
    },
    refusal: { state: { kind: 'host-key-unknown' } },
  },
  {
    way: 'files',
    connect: async ({ ssh, sshd }: World) => {
      const target = { user: sshd.user, host: '127.0.0.1', port: sshd.port, known: [], keys: [] }
      const { files, call, where } = filesHarness(target, { ssh })
      await new Promise<void>((resolve, reject) => {
        files.events['files.changed'](({ link }) => {
          if (link.kind === 'connected') resolve()
          else if (link.kind !== 'connecting') reject(Object.assign(new Error(), { link }))
        })
        void call['files.look']({ ...where, looking: true })
      })
    },
    refusal: { link: { kind: 'host-key-unknown' } },
  },
] as const

describeWith(['sshd', 'ssh'], 'the first contact with a machine whose key the user confirms', () => {
  it.each(ways)('by $way opens once the key is trusted, with one question', async ({ connect }) => {
    const world = await setUp(() => true)
    await connect(world)
    await world.sshd.logged(/Accepted publickey/)
    const fingerprint = fingerprintBySsh(world.host)
    const hostKey = { address: `127.0.0.1:${String(world.sshd.port)}`, type: 'ssh-ed25519' }
    const question = { kind: 'new-host', machine: 'trainer 01', subject: fingerprint, hostKey }
    expect(world.asked).toMatchObject([question])
    expect(world.recorded()).toMatch(/^m1\.\S+ ssh-ed25519 \S+ seen\n$/)
    await world.commands.once(account, 'm1', 'true')
    expect(world.asked).toHaveLength(1)
  })

  it.each(ways)('by $way fails with a reason if the key is refused', async ({ connect, refusal }) => {
    const world = await setUp(() => false)
    await expect(connect(world)).rejects.toMatchObject(refusal)
    expect(world.asked).toHaveLength(1)
    expect(world.recorded()).toBe('')
    expect(world.sshd.log()).not.toMatch(/Accepted|Failed/)
  })

  it('has no question if the user wants none', async () => {
    const world = await setUp(() => false, false)
    await world.ssh.handlers['ssh.connect']({ ...one, inside: true })
    await world.sshd.logged(/Accepted publickey/)
    expect(world.asked).toEqual([])
  })

  it('never happens in the background, which waits until the user connects', async () => {
    const { ssh, commands, asked } = await setUp(() => true)
    const gone = new AbortController().signal
    const background = async () => {
      const reach = await ssh.reach(account, 'm1', true)
      return reach.kind === 'reachable' ? reach.target : expect.fail(reach.kind)
    }
    const { confirms, known } = await background()
    expect(known).toEqual([])
    expect(await confirms?.({ type: 'ssh-ed25519', blob: 'AAAA' }, gone)).toBe(false)
    expect(asked).toEqual([])
    const changes: unknown[] = []
    ssh.onReachChange((change) => changes.push(change))
    await commands.once(account, 'm1', 'true')
    expect(changes).toEqual([one])
    expect((await background()).known).toMatchObject([{ type: 'ssh-ed25519' }])
  })

  it.each([true, false])('asks about a jump host too (trusted: %s)', async (isTrusted) => {
    const world = await setUp(({ subject }) => isTrusted || subject !== fingerprintBySsh(world.jumpHost))
    const { ssh, sshd, commands, asked } = world
    const jump = await world.serve(world.jumpHost)
    await ssh.configure(account, 'm1', { jumpHost: `127.0.0.1:${String(jump.port)}` })
    const { state } = await commands.once(account, 'm1', 'true')
    const subjects = [fingerprintBySsh(world.jumpHost), fingerprintBySsh(world.host)]
    if (isTrusted) expect(state).toEqual({ kind: 'exited', code: 0 })
    else expect(state).toMatchObject({ kind: 'not-reached' })
    expect(asked.map(({ subject }) => subject)).toEqual(isTrusted ? subjects : subjects.slice(0, 1))
    expect(sshd.log().includes('Accepted')).toBe(isTrusted)
  })
})
