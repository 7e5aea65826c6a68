import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey as makeKeyFile, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { openStore } from '../../../../test/fixtures/store'
import { account, telemetryDesk, telemetryServer } from '../../../../test/fixtures/telemetry-harness'
import { outputs } from '../tools/fixtures/outputs'

const gpusOf = ({ report }: GpuView): readonly GpuReading[] => (report?.kind === 'gpus' ? report.gpus : [])

type Desk = ReturnType<typeof telemetryDesk>

/** A machine that has refused the key that it was offered. */
async function refused() {
  const server = await telemetryServer()
  const stranger = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const desk = telemetryDesk(server.port, { privateKey: stranger.private })
  await desk.consent()
  const { link } = await desk.phase('host-key-unknown')
  if (link.phase !== 'host-key-unknown') expect.fail()
  await desk.telemetry.handlers['gpu.trustHostKey']({
    account,
    machine: 'm1',
    fingerprint: link.fingerprint,
  })
  await desk.phase('stopped')
  return { desk, server }
}

describe('the GPUs of a machine', () => {
  it('are read only once the person agrees, and has confirmed the host key of the first contact', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port)
    desk.telemetry.settle()
    expect(desk.attempts()).toBe(0)
    expect(desk.telemetry.view(account, 'm1').link).toEqual({ phase: 'off', why: 'no-consent' })

    await desk.consent()
    const { link } = await desk.phase('host-key-unknown')
    expect(link).toMatchObject({ type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:/) })
    await expect(
      desk.telemetry.handlers['gpu.trustHostKey']({ account, machine: 'm1', fingerprint: 'SHA256:other' }),
    ).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'hostKey' } })
    expect(desk.telemetry.openConnections()).toBe(0)

    const view = await desk.read()
    expect(gpusOf(view)).toHaveLength(2)
    expect(desk.telemetry.openConnections()).toBe(1)
    expect(readFileSync(join(desk.folder, 'known_hosts'), 'utf8')).toContain('m1.abcdefghijkl.wheelhouse')
  })

  it('are read again by a later start, without a question', async () => {
    const server = await telemetryServer()
    const before = telemetryDesk(server.port)
    await before.read()
    await before.settings.flushed()
    before.telemetry.close()
    const desk = telemetryDesk(server.port, { folder: before.folder })
    desk.telemetry.settle()
    expect(gpusOf(await desk.becomes(({ report }) => report !== null))).toHaveLength(2)
  })

  it('are read every minute, and every few seconds while somebody looks', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port)
    const first = await desk.read()
    expect(desk.waits()).toContain(60)
    desk.pass(60)
    const second = await desk.becomes(({ at }) => at !== first.at)
    expect((second.at ?? 0) - (first.at ?? 0)).toBe(60)
    expect(second.report).toMatchObject({ processes: null })

    await desk.telemetry.handlers['gpu.look']({ account, machine: 'm1', looking: true })
    await desk.becomes(({ report }) => report?.kind === 'gpus' && report.processes !== null)
    expect(desk.waits()).toContain(4)
    desk.telemetry.windowChanged(false)
    expect(desk.waits()).not.toContain(4)
    expect(desk.attempts()).toBe(2)
  })

  it('are read no more once the person takes that back, and what was read is forgotten', async () => {
    const { store } = await openStore()
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port, { store })
    await desk.read()
    const history = () => desk.telemetry.handlers['gpu.history']({ account, machine: 'm1', seconds: 3_600 })
    expect(await history()).toMatchObject({ period: 60, kept: true, gpus: [{ index: 0 }, { index: 1 }] })
    await desk.consent(false)
    expect(desk.telemetry.openConnections()).toBe(0)
    expect(desk.telemetry.view(account, 'm1')).toMatchObject({ consent: false, report: null })
    expect(await history()).toMatchObject({ gpus: [] })
  })

  it('are left alone while the machine does not run, and read again when it does', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port)
    await desk.read()
    desk.place('m1', 'ubuntu', 'stopped')
    desk.telemetry.settle()
    expect(desk.telemetry.view(account, 'm1').link).toEqual({ phase: 'off', why: 'not-running' })
    expect(desk.telemetry.openConnections()).toBe(0)
    desk.place('m1')
    desk.telemetry.settle()
    await desk.becomes(({ report }) => report !== null)
  })

  it('whose driver hangs are asked less and less often', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port, { limits: { command: 0 } })
    expect((await desk.read()).report).toEqual({ kind: 'no-answer', seconds: 20 })
    for (const pause of [60, 300, 900, 1_800, 1_800]) {
      await desk.becomes(({ link }) => link.phase === 'connected')
      expect(desk.waits()).toContain(pause)
      const { at } = desk.telemetry.view(account, 'm1')
      desk.pass(pause)
      await desk.becomes((view) => view.at !== at)
    }
  })
})

describe('a connection that was lost', () => {
  it('comes back by itself, after pauses that grow', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port)
    await desk.read()
    await server.stop()
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const { link } = await desk.becomes(
        ({ link: now }) => now.phase === 'waiting' && now.attempts === attempt,
      )
      expect(link).toMatchObject({ reason: attempt === 1 ? 'ECONNRESET' : 'ECONNREFUSED' })
      const pause = desk.waits().at(-1) ?? 0
      pauses.push(pause)
      if (attempt === 9) await server.start()
      desk.pass(pause)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
    expect((await desk.phase('connected')).report?.kind).toBe('gpus')
  })

  it('stops at a host key that has changed, says so, and is not tried again', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port)
    await desk.read()
    const recorded = (await desk.ssh.handlers['ssh.connection']({ account, machine: 'm1' })).hostKey
    await server.stop()
    server.changeHostKey()
    await server.start()
    await desk.phase('waiting')
    desk.pass(10)
    const { link } = await desk.phase('stopped')
    expect(link).toMatchObject({
      stop: { kind: 'host-key-changed', known: recorded, offered: expect.not.stringMatching(recorded ?? '') },
    })
    const { size } = desk.timers
    const attempts = desk.attempts()
    desk.pass(3_000)
    expect(desk.attempts()).toBe(attempts)
    expect(size).toBe(1)

    // The person forgets the old key as for a terminal: the new one is then a first contact.
    await desk.ssh.handlers['ssh.forgetHostKey']({ account, machine: 'm1' })
    await desk.phase('host-key-unknown')
  })
})

describe('a key', () => {
  it('that is refused is offered once, and not again before the person changes something', async () => {
    const { desk, server } = await refused()
    expect((await desk.phase('stopped')).link).toMatchObject({
      stop: { kind: 'key-refused', user: 'ubuntu', keys: [desk.identityFile] },
    })
    const attempts = desk.attempts()
    desk.pass(86_400)
    desk.telemetry.settle()
    expect(desk.attempts()).toBe(attempts)
    const stopped = desk.telemetry.view(account, 'm1').link

    // The computer sleeps and wakes, the machine is stopped and started.
    desk.telemetry.wakeChanged(false)
    desk.telemetry.wakeChanged(true)
    expect(desk.telemetry.view(account, 'm1').link).toEqual(stopped)
    desk.place('m1', 'ubuntu', 'stopped')
    desk.telemetry.settle()
    expect(desk.telemetry.view(account, 'm1').link).toEqual({ phase: 'off', why: 'not-running' })
    desk.place('m1')
    desk.telemetry.settle()
    expect(desk.telemetry.view(account, 'm1').link).toEqual(stopped)

    const right = telemetryDesk(server.port)
    await desk.ssh.handlers['ssh.configure']({ account, machine: 'm1', identityFile: right.identityFile })
    expect(gpusOf(await desk.becomes(({ report }) => report !== null))).toHaveLength(2)
  })

  it.each([
    [
      'says so',
      async (desk) => {
        await desk.telemetry.handlers['gpu.retry']({ account, machine: 'm1' })
        desk.telemetry.wakeChanged(true)
      },
    ],
    [
      'changes how the machine is reached',
      async (desk) => {
        await desk.ssh.handlers['ssh.configure']({ account, machine: 'm1', port: 1 })
        desk.telemetry.wakeChanged(true)
      },
    ],
    [
      'agrees anew',
      async (desk) => {
        await desk.consent(false)
        await desk.consent()
        desk.telemetry.wakeChanged(true)
      },
    ],
    [
      'gives the machine another user',
      (desk) => {
        desk.place('m1', 'root')
        desk.telemetry.wakeChanged(true)
        return Promise.resolve()
      },
    ],
  ] satisfies readonly [string, (desk: Desk) => Promise<void>][])(
    'that was refused before the computer slept is offered again where the person %s',
    async (_what, act) => {
      const { desk } = await refused()
      desk.telemetry.wakeChanged(false)
      await act(desk)
      expect(desk.telemetry.view(account, 'm1').link).toEqual({ phase: 'connecting' })
    },
  )

  it('with a passphrase is not asked for it', async () => {
    const server = await telemetryServer()
    const { private: locked } = ssh2.utils.generateKeyPairSync('ed25519', {
      passphrase: 'a secret',
      cipher: 'aes256-ctr',
      rounds: 16,
    })
    const desk = telemetryDesk(server.port, { privateKey: locked })
    await desk.consent()
    expect((await desk.phase('stopped')).link).toMatchObject({
      stop: { kind: 'key-unusable', why: 'encrypted', path: desk.identityFile },
    })
    expect(desk.attempts()).toBe(0)
  })

  it('that is none, or not there, is named', async () => {
    const server = await telemetryServer()
    const desk = telemetryDesk(server.port, { privateKey: 'not a key' })
    await desk.consent()
    expect((await desk.phase('stopped')).link).toMatchObject({ stop: { why: 'not-understood' } })
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
    const desk = telemetryDesk(server.port, { privateKey: pem })
    expect(gpusOf(await desk.read())).toHaveLength(2)
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
    const desk = telemetryDesk(() => sshd.port, { privateKey: readFileSync(key, 'utf8') })
    desk.place('m1', sshd.user)
    const gpus = gpusOf(await desk.read())
    expect(gpus).toHaveLength(4)
    expect(gpus[3]).toMatchObject({ name: 'NVIDIA GB200', utilization: 93, power: 1_132.5 })
  })
})
