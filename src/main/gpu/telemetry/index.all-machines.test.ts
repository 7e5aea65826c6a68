import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GpuAccountView } from '#shared/bridge/gpu'
import { account, telemetryHarness, telemetryServer } from '../../../../test/fixtures/telemetry-harness'

async function harnessOf(machines: readonly string[], limit?: number) {
  const server = await telemetryServer()
  const harness = telemetryHarness(server.port, limit === undefined ? {} : { limit })
  machines.forEach((id) => harness.place(id))
  const call = harness.telemetry.handlers
  return {
    ...harness,
    server,
    all: (isAllowed = true) => harness.consent(isAllowed, null),
    progress: () => call['gpu.account']({ account }),
    isRead: (machine: string) => harness.viewWhere(({ report }) => report !== null, machine),
    link: (machine: string) => harness.telemetry.view(account, machine).link,
    knownHosts: () => readFileSync(join(harness.folder, 'known_hosts'), 'utf8').trim().split('\n'),
  }
}

const counts = ({ all, total, read, unread }: GpuAccountView) => ({
  all,
  total,
  read,
  unread: unread.map(({ link, count, machines }) => [
    link.kind === 'stopped' ? link.stop.kind : link.kind === 'off' ? link.why : link.kind,
    count,
    machines.map(({ name }) => name),
  ]),
})

describe('the GPUs of all machines', () => {
  it('are read after consent for the account, and each first host key is recorded', async () => {
    const harness = await harnessOf(['m1', 'm2', 'm3'])
    expect(counts(await harness.progress())).toEqual({ all: false, total: 0, read: 0, unread: [] })
    expect(harness.attempts()).toBe(0)
    await harness.all()
    for (const machine of ['m1', 'm2', 'm3']) await harness.isRead(machine)
    expect(counts(await harness.progress())).toEqual({ all: true, total: 3, read: 3, unread: [] })
    const hosts = new Set(harness.knownHosts().map((line) => line.split('.')[0]))
    expect(hosts).toEqual(new Set(['m1', 'm2', 'm3']))
    expect(harness.knownHosts()).toHaveLength(3)
    for (const line of harness.knownHosts()) expect(line, 'nobody has seen it').not.toMatch(/ seen$/)

    // A new machine is read too, without a question.
    harness.place('later')
    harness.telemetry.reconcileConnections()
    await harness.isRead('later')
    expect(counts(await harness.progress())).toMatchObject({ total: 4, read: 4 })
  })

  it('are listed together with machines that do not run', async () => {
    const harness = await harnessOf(['m1'])
    harness.place('off', 'ubuntu', 'stopped')
    const changed: string[] = []
    harness.telemetry.onChange(({ machine, consent }) => consent && changed.push(machine))
    await harness.all()
    await harness.isRead('m1')
    const views = harness.telemetry.handlers['gpu.fleet']({ account })
    expect(await views).toMatchObject([
      { machine: 'm1', report: { kind: 'gpus' } },
      { machine: 'off', consent: true, link: { kind: 'off', why: 'not-running' }, report: null },
    ])
    expect(changed).toContain('off')
  })

  it('are not read before the user has connected, if the user confirms host keys', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { confirmsHostKeys: true })
    await harness.consent(true, null)
    const { link } = await harness.untilLink('host-key-unknown')
    expect(readFileSync(join(harness.folder, 'known_hosts'), 'utf8')).toBe('')
    if (link.kind !== 'host-key-unknown') expect.fail()
    const trusted = { account, machine: 'm1', fingerprint: link.fingerprint }
    await harness.telemetry.handlers['gpu.trustHostKey'](trusted)
    await harness.viewWhere(({ report }) => report !== null)
  })

  it('are read by a later start too', async () => {
    const before = await harnessOf(['m1', 'm2'])
    await before.all()
    for (const machine of ['m1', 'm2']) await before.isRead(machine)
    before.telemetry.close()
    await before.settings.flushed()
    const later = telemetryHarness(before.server.port, { folder: before.folder })
    later.place('m2')
    later.place('new')
    later.telemetry.reconcileConnections()
    for (const machine of ['m1', 'm2', 'new']) await later.viewWhere(({ report }) => report !== null, machine)
  })

  it('are read except for an excluded machine, and no longer after consent is withdrawn', async () => {
    const harness = await harnessOf(['m1', 'm2'])
    await harness.all()
    for (const machine of ['m1', 'm2']) await harness.isRead(machine)
    await harness.consent(false, 'm2')
    expect(harness.link('m2')).toEqual({ kind: 'off', why: 'no-consent' })
    expect(await harness.progress()).toMatchObject({
      total: 1,
      read: 1,
      excepted: [{ id: 'm2', name: 'm2' }],
    })
    await harness.consent(true, 'm2')
    await harness.isRead('m2')
    expect(await harness.progress()).toMatchObject({ total: 2, excepted: [] })

    await harness.all(false)
    expect(harness.sshMachines.openConnections()).toBe(0)
    expect(counts(await harness.progress())).toEqual({ all: false, total: 0, read: 0, unread: [] })
    expect(harness.consents.consented(account)).toEqual([])
  })

  it('are not read of an excluded machine, even if it was deleted and came back', async () => {
    const harness = await harnessOf(['m1', 'm2'])
    await harness.all()
    await harness.consent(false, 'm2')
    harness.machines.delete('m2')
    await harness.consents.forget(account, ['m2'])
    harness.place('m2')
    harness.telemetry.reconcileConnections()
    expect(harness.link('m2')).toEqual({ kind: 'off', why: 'no-consent' })
    expect(await harness.progress()).toMatchObject({ total: 1, excepted: [{ id: 'm2' }] })
  })

  it('are read although one machine changed its host key; that machine stops, is named and is not retried', async () => {
    const harness = await harnessOf(['m1', 'm2'])
    const another = 'AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV'
    const [type, blob] = ['ssh-ed25519', another]
    await harness.ssh.record(account, 'm1', { type, blob })
    await harness.all()
    await harness.isRead('m2')
    const { link } = await harness.untilLink('stopped', 'm1')
    expect(link).toMatchObject({ stop: { kind: 'host-key-changed' } })
    const attempts = harness.attempts()
    harness.pass(86_400)
    harness.telemetry.reconcileConnections()
    harness.sshMachines.wakeChanged(false)
    harness.sshMachines.wakeChanged(true)
    await harness.untilLink('connected', 'm2')
    expect(harness.link('m1')).toEqual(link)
    expect(harness.attempts()).toBeGreaterThan(attempts)
    expect(harness.knownHosts().filter((line) => line.startsWith('m1.'))).toHaveLength(1)
    expect(counts(await harness.progress()).unread).toEqual([['host-key-changed', 1, ['m1']]])
  })

  it('are retried together after a refused key, but not after a changed host key', async () => {
    const harness = await harnessOf(['refuses', 'm2'])
    harness.machines.delete('m1')
    harness.place('refuses', 'nobody')
    const blob = 'AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV'
    await harness.ssh.record(account, 'm2', { type: 'ssh-ed25519', blob })
    await harness.all()
    for (const machine of ['refuses', 'm2']) await harness.untilLink('stopped', machine)
    const attempts = harness.attempts()
    // Penalties for two failed attempts expire first.
    harness.pass(6)
    await harness.telemetry.handlers['gpu.retryAll']({ account })
    expect(harness.link('refuses').kind).toBe('connecting')
    expect(harness.link('m2').kind).toBe('stopped')
    await harness.untilLink('stopped', 'refuses')
    expect(harness.attempts()).toBe(attempts + 1)
  })

  it('report which machines SSH cannot reach and why, without trying them', async () => {
    const harness = await harnessOf(['m1', 'off-1', 'off-2'])
    harness.place('off-1', 'ubuntu', 'stopped')
    harness.place('off-2', 'ubuntu', 'creating')
    await harness.all()
    await harness.isRead('m1')
    const attempts = harness.attempts()
    harness.telemetry.reconcileConnections()
    expect(harness.attempts()).toBe(attempts)
    expect(counts(await harness.progress())).toEqual({
      all: true,
      total: 3,
      read: 1,
      unread: [['not-running', 2, ['off-1', 'off-2']]],
    })
  })

  it('are connected a few at a time, and the next ones when others stop or fail', async () => {
    const harness = await harnessOf(['refuses', 'm2', 'm3'], 1)
    harness.machines.delete('m1')
    harness.place('refuses', 'nobody')
    await harness.all()
    // A refused key does not occupy a connection.
    await harness.untilLink('stopped', 'refuses')
    await harness.isRead('m2')
    expect(harness.sshMachines.openConnections()).toBe(1)
    expect(harness.link('m3')).toEqual({ kind: 'stopped', stop: { kind: 'too-many', limit: 1 } })
    expect(counts(await harness.progress())).toMatchObject({ total: 3, read: 1 })

    await harness.consent(false, 'm2')
    await harness.isRead('m3')
    expect(harness.sshMachines.openConnections()).toBe(1)
  })

  it('take turns of 200 seconds, so that each is read within ten minutes', async () => {
    const machines = ['m1', 'm2', 'm3']
    const harness = await harnessOf(machines, 1)
    await harness.all()
    for (const machine of machines) {
      await harness.isRead(machine)
      expect(harness.sshMachines.openConnections()).toBe(1)
      harness.pass(180)
      await expect.poll(() => harness.link(machine).kind).toBe('connected')
      harness.pass(30)
    }
    await harness.untilLink('connected', 'm1')
    expect(harness.link('m2')).toEqual({ kind: 'stopped', stop: { kind: 'too-many', limit: 1 } })
    expect(counts(await harness.progress())).toEqual({ all: true, total: 3, read: 3, unread: [] })
  })

  it('are read at once while the user looks, whatever their turn', async () => {
    const harness = await harnessOf(['m1', 'm2'], 1)
    await harness.all()
    await harness.isRead('m1')
    const look = (looking: boolean) =>
      harness.telemetry.handlers['gpu.look']({ account, machine: 'm2', looking })
    await look(true)
    await harness.isRead('m2')
    harness.pass(600)
    expect(harness.link('m2').kind).toBe('connected')
    await look(false)
    await expect.poll(() => [harness.pass(60), harness.sshMachines.openConnections()][1]).toBe(1)
  })

  it('take no turns while an automatic end asks about them', async () => {
    const harness = await harnessOf(['m1', 'm2'], 1)
    await harness.all()
    await harness.isRead('m1')
    harness.telemetry.need(account, 'm2')
    await harness.isRead('m2')
    for (let passed = 0; passed < 1_200; passed += 60) {
      harness.pass(60)
      harness.telemetry.need(account, 'm2')
      expect(harness.link('m2').kind).toBe('connected')
    }
    await harness.untilLink('stopped', 'm1')
    await expect.poll(() => [harness.pass(60), harness.link('m1').kind][1]).toBe('connected')
  })

  it('report many changes as one progress event', async () => {
    const harness = await harnessOf(['m1', 'm2'])
    await harness.progress()
    const events: GpuAccountView[] = []
    harness.telemetry.onProgress((view) => events.push(view))
    await harness.all()
    for (const machine of ['m1', 'm2']) await harness.isRead(machine)
    expect(events).toEqual([])
    // A further request does not suppress the event for listeners.
    await harness.progress()
    harness.pass(0.5)
    expect(events.map(counts)).toEqual([{ all: true, total: 2, read: 2, unread: [] }])
  })
})

it('consent for every machine confirms the first contact that waited for an answer', async () => {
  const harness = await harnessOf(['m1'])
  await harness.consent()
  await harness.untilLink('host-key-unknown')
  await harness.all()
  await harness.isRead('m1')
})
