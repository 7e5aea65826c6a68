import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey as makeKeyFile, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { openStore } from '../../../../test/fixtures/store'
import { account, telemetryHarness, telemetryServer } from '../../../../test/fixtures/telemetry-harness'
import { outputs } from '../tools/fixtures/outputs'

const gpusOf = ({ report }: GpuView): readonly GpuReading[] => (report?.kind === 'gpus' ? report.gpus : [])

type Harness = ReturnType<typeof telemetryHarness>

/** A machine that has refused the key that it was offered. */
async function refused() {
  const server = await telemetryServer()
  const stranger = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const harness = telemetryHarness(server.port, { privateKey: stranger.private })
  await harness.consent()
  const { link } = await harness.untilLink('host-key-unknown')
  if (link.kind !== 'host-key-unknown') expect.fail()
  await harness.telemetry.handlers['gpu.trustHostKey']({
    account,
    machine: 'm1',
    fingerprint: link.fingerprint,
  })
  await harness.untilLink('stopped')
  return { harness, server }
}

describe('the GPUs of a machine', () => {
  it('are read only once the person agrees, and has confirmed the host key of the first contact', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    harness.telemetry.settle()
    expect(harness.attempts()).toBe(0)
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'no-consent' })

    await harness.consent()
    const { link } = await harness.untilLink('host-key-unknown')
    expect(link).toMatchObject({ type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:/) })
    await expect(
      harness.telemetry.handlers['gpu.trustHostKey']({ account, machine: 'm1', fingerprint: 'SHA256:other' }),
    ).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'hostKey' } })
    expect(harness.telemetry.openConnections()).toBe(0)

    const view = await harness.read()
    expect(gpusOf(view)).toHaveLength(2)
    expect(harness.telemetry.openConnections()).toBe(1)
    expect(readFileSync(join(harness.folder, 'known_hosts'), 'utf8')).toContain('m1.abcdefghijkl.wheelhouse')
  })

  it('are read again by a later start, without a question', async () => {
    const server = await telemetryServer()
    const before = telemetryHarness(server.port)
    await before.read()
    await before.settings.flushed()
    before.telemetry.close()
    const harness = telemetryHarness(server.port, { folder: before.folder })
    harness.telemetry.settle()
    expect(gpusOf(await harness.viewWhere(({ report }) => report !== null))).toHaveLength(2)
  })

  it('are read every minute, and every few seconds while the person looks at them', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    const first = await harness.read()
    expect(harness.waits()).toContain(60)
    harness.pass(60)
    const second = await harness.viewWhere(({ at }) => at !== first.at)
    expect((second.at ?? 0) - (first.at ?? 0)).toBe(60)
    expect(second.report).toMatchObject({ processes: null })

    await harness.telemetry.handlers['gpu.look']({ account, machine: 'm1', looking: true })
    await harness.viewWhere(({ report }) => report?.kind === 'gpus' && report.processes !== null)
    expect(harness.waits()).toContain(4)
    harness.telemetry.windowChanged(false)
    expect(harness.waits()).not.toContain(4)
    expect(harness.attempts()).toBe(2)
  })

  it('are read no more once consent is withdrawn, and what was read is forgotten', async () => {
    const { store } = await openStore()
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { store })
    await harness.read()
    const history = () =>
      harness.telemetry.handlers['gpu.history']({ account, machine: 'm1', seconds: 3_600 })
    expect(await history()).toMatchObject({ period: 60, kept: true, gpus: [{ index: 0 }, { index: 1 }] })
    await harness.consent(false)
    expect(harness.telemetry.openConnections()).toBe(0)
    expect(harness.telemetry.view(account, 'm1')).toMatchObject({ consent: false, report: null })
    expect(await history()).toMatchObject({ gpus: [] })
  })

  it('are left alone while the machine does not run, and read again when it does', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    await harness.read()
    harness.place('m1', 'ubuntu', 'stopped')
    harness.telemetry.settle()
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'not-running' })
    expect(harness.telemetry.openConnections()).toBe(0)
    harness.place('m1')
    harness.telemetry.settle()
    await harness.viewWhere(({ report }) => report !== null)
  })

  it('whose driver hangs are read less and less often', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { limits: { command: 0 } })
    expect((await harness.read()).report).toEqual({ kind: 'no-answer', seconds: 20 })
    for (const pause of [60, 300, 900, 1_800, 1_800]) {
      await harness.viewWhere(({ link }) => link.kind === 'connected')
      expect(harness.waits()).toContain(pause)
      const { at } = harness.telemetry.view(account, 'm1')
      harness.pass(pause)
      await harness.viewWhere((view) => view.at !== at)
    }
  })
})

describe('a connection that was lost', () => {
  it('comes back by itself, after pauses that grow', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    await harness.read()
    await server.stop()
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const { link } = await harness.viewWhere(
        ({ link: now }) => now.kind === 'waiting' && now.attempts === attempt,
      )
      expect(link).toMatchObject({ reason: attempt === 1 ? 'ECONNRESET' : 'ECONNREFUSED' })
      const pause = harness.waits().at(-1) ?? 0
      pauses.push(pause)
      if (attempt === 9) await server.start()
      harness.pass(pause)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
    expect((await harness.untilLink('connected')).report?.kind).toBe('gpus')
  })

  it('stops at a host key that has changed, names both, and is not tried again', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    await harness.read()
    const recorded = (await harness.ssh.handlers['ssh.connection']({ account, machine: 'm1' })).hostKey
    await server.stop()
    server.changeHostKey()
    await server.start()
    await harness.untilLink('waiting')
    harness.pass(10)
    const { link } = await harness.untilLink('stopped')
    expect(link).toMatchObject({
      stop: {
        kind: 'host-key-changed',
        known: recorded,
        offered: expect.not.stringContaining(recorded ?? ''),
      },
    })
    const timers = harness.waits()
    const attempts = harness.attempts()
    harness.pass(3_000)
    expect(harness.attempts()).toBe(attempts)
    expect(timers).toHaveLength(1)

    // The person forgets the old key as for a terminal: the new one is then a first contact.
    await harness.ssh.handlers['ssh.forgetHostKey']({ account, machine: 'm1' })
    await harness.untilLink('host-key-unknown')
  })
})

describe('a key', () => {
  it('that is refused is offered once, and not again before the person changes something', async () => {
    const { harness, server } = await refused()
    expect((await harness.untilLink('stopped')).link).toMatchObject({
      stop: { kind: 'key-refused', user: 'ubuntu', keys: [harness.identityFile] },
    })
    const attempts = harness.attempts()
    harness.pass(86_400)
    harness.telemetry.settle()
    expect(harness.attempts()).toBe(attempts)
    const stopped = harness.telemetry.view(account, 'm1').link

    // The computer sleeps and wakes, the machine is stopped and started.
    harness.telemetry.wakeChanged(false)
    harness.telemetry.wakeChanged(true)
    expect(harness.telemetry.view(account, 'm1').link).toEqual(stopped)
    harness.place('m1', 'ubuntu', 'stopped')
    harness.telemetry.settle()
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'not-running' })
    harness.place('m1')
    harness.telemetry.settle()
    expect(harness.telemetry.view(account, 'm1').link).toEqual(stopped)

    // The application is started again.
    harness.telemetry.close()
    await harness.settings.flushed()
    const later = telemetryHarness(server.port, {
      folder: harness.folder,
      privateKey: readFileSync(harness.identityFile, 'utf8'),
    })
    later.telemetry.settle()
    expect(later.telemetry.view(account, 'm1').link).toEqual(stopped)
    expect(later.attempts()).toBe(0)

    const right = telemetryHarness(server.port)
    await later.ssh.handlers['ssh.configure']({ account, machine: 'm1', identityFile: right.identityFile })
    expect(gpusOf(await later.viewWhere(({ report }) => report !== null))).toHaveLength(2)
  })

  it.each([
    [
      'says so',
      async (harness) => {
        await harness.telemetry.handlers['gpu.retry']({ account, machine: 'm1' })
        harness.telemetry.wakeChanged(true)
      },
    ],
    [
      'changes how the machine is reached',
      async (harness) => {
        await harness.ssh.handlers['ssh.configure']({ account, machine: 'm1', port: 1 })
        harness.telemetry.wakeChanged(true)
      },
    ],
    [
      'agrees anew',
      async (harness) => {
        await harness.consent(false)
        await harness.consent()
        harness.telemetry.wakeChanged(true)
      },
    ],
    [
      'gives the machine another user',
      (harness) => {
        harness.place('m1', 'root')
        harness.telemetry.wakeChanged(true)
        return Promise.resolve()
      },
    ],
  ] satisfies readonly [string, (harness: Harness) => Promise<void>][])(
    'that was refused before the computer slept is offered again where the person %s',
    async (_what, act) => {
      const { harness } = await refused()
      harness.telemetry.wakeChanged(false)
      await act(harness)
      expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'connecting' })
    },
  )

  it('with a passphrase is not asked for it', async () => {
    const server = await telemetryServer()
    const { private: locked } = ssh2.utils.generateKeyPairSync('ed25519', {
      passphrase: 'a secret',
      cipher: 'aes256-ctr',
      rounds: 16,
    })
    const harness = telemetryHarness(server.port, { privateKey: locked })
    await harness.consent()
    expect((await harness.untilLink('stopped')).link).toMatchObject({
      stop: { kind: 'key-unusable', why: 'encrypted', path: harness.identityFile },
    })
    expect(harness.attempts()).toBe(0)
  })

  it('that is none, or not there, is named', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { privateKey: 'not a key' })
    await harness.consent()
    expect((await harness.untilLink('stopped')).link).toMatchObject({ stop: { why: 'not-understood' } })
  })

  it('of the type ed25519 may lie in PKCS #8, which ssh2 does not read', async () => {
    const pair = generateKeyPairSync('ed25519')
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(ssh2.utils.parseKey(pem)).toBeInstanceOf(Error)
    const { x = '' } = pair.publicKey.export({ format: 'jwk' })
    const raw = Buffer.from(x, 'base64url')
    const blob = Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), raw])
    const server = await telemetryServer([
      { name: 'm1', publicKey: `ssh-ed25519 ${blob.toString('base64')}` },
    ])
    const harness = telemetryHarness(server.port, { privateKey: pem })
    expect(gpusOf(await harness.read())).toHaveLength(2)
  })
})

describeWith(['sshd'], 'a real sshd', () => {
  it('is read as well: what nvidia-smi prints there', async () => {
    const folder = temporaryFolder()
    const key = makeKeyFile(join(folder, 'id'))
    const hostKey = makeKeyFile(join(folder, 'host'))
    const answer = join(folder, 'answer.csv')
    writeFileSync(answer, outputs.gb200)
    const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: `cat ${answer}` })
    onTestFinished(() => sshd.close())
    const harness = telemetryHarness(() => sshd.port, { privateKey: readFileSync(key, 'utf8') })
    harness.place('m1', sshd.user)
    const gpus = gpusOf(await harness.read())
    expect(gpus).toHaveLength(4)
    expect(gpus[3]).toMatchObject({ name: 'NVIDIA GB200', utilization: 93, power: 1_132.5 })
  })
})
