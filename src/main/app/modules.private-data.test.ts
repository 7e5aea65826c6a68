import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AgentAccess } from '#shared/bridge/agent'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { plainText } from '../../../test/fixtures/private-documents'

describe('the modules in use', () => {
  it.each([
    ['with a keychain', null],
    ['with a locked one', 'locked'],
    ['without one', 'keytar is not installed'],
  ])('write nothing private into a plain file %s', async (_, failing) => {
    const sandbox = await runSandbox()
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-private-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const secrets = memorySecrets()
    secrets.failing = failing
    const clock = fakeClock(Date.now() / 1000)
    const { calls, modules, settings, quit } = startModules({ folder, secrets, clock, fetch })
    const { baseUrl, username, password } = sandbox
    const { id } = await calls['accounts.connect']({
      baseUrl,
      credential: { kind: 'password', username, password },
      staySignedIn: true,
    })
    await calls['accounts.rename']({ account: id, label: 'canary-account' })
    await modules.store.open()
    await Promise.all([
      calls['fleet.refresh']({ account: id }),
      calls['volumes.refresh']({ account: id }),
      calls['bareMetal.refresh']({ account: id }),
    ])
    const machines = modules.fleet.snapshot(id)?.machines ?? []
    const [machine] = machines
    if (!machine) throw new Error('the sandbox has machines')
    const service = modules.accounts.service(id)
    const order = orderFor(await service.flavors.list(), await service.images.list(), 'canary-machine')
    const one = { account: id, request: randomUUID(), again: [] }

    await calls['notes.change']({
      account: id,
      resource: machine.id,
      note: { text: 'canary-note', tags: ['canary-tag'] },
    })
    const agent = 'canary-agent'
    await calls['agents.enter']({ agent })
    await calls['agents.allow']({ agent, access: AgentAccess.parse({ run: true }) })
    const command = 'python canary-command.py'
    await calls['agents.act']({ agent, account: id, order: { kind: 'run', machine: machine.id, command } })
    await calls['reminders.add']({ account: id, machine: machine.id, at: Math.floor(clock.now()) + 3_600 })
    const usd = (millionths: number) => ({ currency: 'USD', millionths })
    const limits = { budget: usd(4_242_424_242), perHour: usd(1), runningHours: 1, balanceDays: 366 }
    await calls['alerts.setLimits']({ account: id, limits })
    await calls['firewall.rememberAddress']({ address: '203.0.113.77' })
    await calls['creation.keepDraft']({
      account: id,
      kind: 'bare-metal',
      draft: {
        request: randomUUID(),
        name: 'canary-draft',
        region: null,
        flavor: null,
        boot: 'image',
        image: null,
        volume: '',
        key: 'pasted',
        keyFile: null,
        pastedKey: '',
        initScript: 'canary-script',
      },
    })
    const machineOrder = { ...order, init_script: 'canary-init-script' }
    await calls['machine.create']({ ...one, identityFile: null, machine: machineOrder })
    const volume = modules.volumes.snapshot(id).volumes.find(({ displayName }) => displayName !== null)
    if (!volume) throw new Error('the sandbox has volumes')
    await modules.volumes.handlers['volumes.detach']({ account: id, machine: machine.id, volume: volume.id })
    modules.activity.add(id, { kind: 'machine-new', machine: 'vm-1', name: 'canary-activity', status: null })
    await settings.flushed()
    // Time to write the lists of machines.
    clock.advance(60)
    const activity = await calls['activity.list']({ account: id })
    expect(activity.some(({ event }) => 'name' in event && event.name === 'canary-activity')).toBe(true)
    await quit()

    const text = plainText(folder)
    expect(text).toContain(machine.id)
    const names = [...machines, volume].map(({ name }) => name ?? '').filter((name) => name.length > 4)
    const addresses = machines.flatMap(({ address }) => (address === null ? [] : [address]))
    expect(addresses.length).toBeGreaterThan(0)
    const canaries = ['canary', '4242424242', '203.0.113.77', `: "${username}"`, ...names, ...addresses]
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([])
  })
})
