import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import { openStore } from '../../../../test/fixtures/store'
import { account, telemetryHarness, telemetryServer } from '../../../../test/fixtures/telemetry-harness'

const gpusOf = ({ report }: GpuView): readonly GpuReading[] => (report?.kind === 'gpus' ? report.gpus : [])

describe('the GPUs of a machine', () => {
  it('are read only after the user consents and confirms the host key of the first contact', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    harness.telemetry.reconcileConnections()
    expect(harness.attempts()).toBe(0)
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'no-consent' })

    await harness.consent()
    const { link } = await harness.untilLink('host-key-unknown')
    expect(link).toMatchObject({ type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:/) })
    await expect(
      harness.telemetry.handlers['gpu.trustHostKey']({ account, machine: 'm1', fingerprint: 'SHA256:other' }),
    ).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'hostKey' } })
    expect(harness.sshMachines.openConnections()).toBe(0)

    const view = await harness.read()
    expect(gpusOf(view)).toHaveLength(2)
    expect(harness.sshMachines.openConnections()).toBe(1)
    expect(readFileSync(join(harness.folder, 'known_hosts'), 'utf8')).toContain('m1.abcdefghijkl.wheelhouse')
  })

  it('are read again by a later start, without a question', async () => {
    const server = await telemetryServer()
    const before = telemetryHarness(server.port)
    await before.read()
    await before.settings.flushed()
    before.telemetry.close()
    const harness = telemetryHarness(server.port, { folder: before.folder })
    harness.telemetry.reconcileConnections()
    expect(gpusOf(await harness.viewWhere(({ report }) => report !== null))).toHaveLength(2)
  })

  it('are read every minute, and every few seconds while the user looks at them', async () => {
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
    expect(harness.waits()).toContain(2)
    harness.telemetry.windowChanged(false)
    expect(harness.waits()).not.toContain(2)
    expect(harness.attempts()).toBe(2)
  })

  it('are read three times a minute if the driver has no samples', async () => {
    const server = await telemetryServer([{ name: 'm1', gpuProfile: () => 'no-samples' }])
    const harness = telemetryHarness(server.port)
    await harness.read()
    expect(harness.waits()).toContain(20)
  })

  it('have their activity and processes read every ten minutes while they are used', async () => {
    const server = await telemetryServer([{ name: 'm1', gpuProfile: () => 'held' }])
    const harness = telemetryHarness(server.port)
    await harness.read()
    const isDetailed: boolean[] = []
    for (let minute = 0; minute < 21; minute += 1) {
      const view = harness.telemetry.view(account, 'm1')
      isDetailed.push(view.report?.kind === 'gpus' && view.report.isDetailed)
      expect(view.report, 'processes remain known').toMatchObject({ processes: [{}, {}] })
      harness.pass(60)
      await harness.viewWhere(({ at }) => at !== view.at)
    }
    expect(isDetailed.flatMap((isRead, minute) => (isRead ? [minute] : []))).toEqual([0, 10, 20])
  })

  it('are not read after consent is withdrawn, and earlier readings are deleted', async () => {
    const { store } = await openStore()
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { store })
    await harness.read()
    const history = () =>
      harness.telemetry.handlers['gpu.history']({ account, machine: 'm1', seconds: 3_600 })
    expect(await history()).toMatchObject({ period: 60, kept: true, gpus: [{ index: 0 }, { index: 1 }] })
    await harness.consent(false)
    expect(harness.sshMachines.openConnections()).toBe(0)
    expect(harness.telemetry.view(account, 'm1')).toMatchObject({ consent: false, report: null })
    expect(await history()).toMatchObject({ gpus: [] })
  })

  it('are not read while the machine is stopped, and are read again when it runs', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port)
    await harness.read()
    harness.place('m1', 'ubuntu', 'stopped')
    harness.telemetry.reconcileConnections()
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'not-running' })
    expect(harness.sshMachines.openConnections()).toBe(0)
    harness.place('m1')
    harness.telemetry.reconcileConnections()
    await harness.viewWhere(({ report }) => report !== null)
  })

  it('are read less and less often if the login is slow', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { limits: { command: 0 } })
    expect((await harness.read()).report).toEqual({ kind: 'slow-login', seconds: 20 })
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
  it('is retried automatically after growing pauses', async () => {
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

  it('stops at a changed host key, names both keys and is not retried', async () => {
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

    // The user forgets the old key, as for a terminal: the new key is a first contact.
    await harness.ssh.handlers['ssh.forgetHostKey']({ account, machine: 'm1' })
    await harness.untilLink('host-key-unknown')
  })
})
