import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AccountsView } from '#shared/bridge/account'
import type { Capabilities } from '#shared/bridge/capability'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openSettings, type SettingsStore } from '../store/settings'
import { createCapabilities } from './index'

const hour = 3_600
const day = 86_400

/** Signs in to a sandbox with a fake clock. */
const begin = async (extensions: boolean) => {
  const sandbox = await runSandbox({ extensions })
  const harness = await setUp()
  const account = (await connect(harness, sandbox)).id
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-capabilities-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = fakeClock(1_000_000)
  const pushed: Capabilities[] = []
  let settings: SettingsStore | undefined
  onTestFinished(() => settings?.close())
  /** `accounts`: accounts that are signed in at the start, whose services are requested at once. */
  const open = async (accounts: AccountsView['accounts']) => {
    await settings?.flushed()
    settings = openSettings(folder)
    const capabilities = createCapabilities({
      accounts: { ...harness.accounts, view: () => ({ accounts, selected: null }) },
      settings,
      clock,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    capabilities.onChange(({ capabilities: known }) => pushed.push(known))
    return capabilities
  }
  const capabilities = await open(harness.accounts.view().accounts)
  await capabilities.probe(account)
  const service = harness.accounts.service(account)
  const [machine] = (await service.machines.list({})).items
  if (!machine) throw new Error('the sandbox has machines')
  return {
    sandbox,
    account,
    capabilities,
    service,
    machine,
    pushed,
    open,
    known: () => Promise.resolve(capabilities.handlers['capabilities.read']({ account })),
    pass: (seconds: number) => clock.set(clock.now() + seconds),
    /** Reboots a machine, as the application does. */
    reboot: (id: string) =>
      capabilities.using(
        account,
        'power',
        () => service.power.change(id, 'reboot'),
        () => service.machines.get(id),
      ),
  }
}

const requests = async (sandbox: Parameters<typeof requestsTo>[0], part: string) =>
  (await requestsTo(sandbox)).filter((request) => request.includes(part))

describe('a capability beyond the specification', () => {
  it('is tested with harmless reads only, otherwise it stays unknown', async () => {
    const { sandbox, known } = await begin(true)
    expect(await known()).toEqual({
      regions: 'yes',
      'volume-list': 'yes',
      balance: 'yes',
      'volume-types': 'yes',
      power: 'unknown',
      'delete-machine': 'unknown',
      'delete-volume': 'unknown',
      'create-token': 'unknown',
      'delete-token': 'unknown',
    })
    const asked = await requestsTo(sandbox)
    expect(asked.filter((one) => /DELETE|\/(start|stop|reboot) /.test(one))).toEqual([])
  })

  it('counts as missing for an hour after the service denied it, and is then tested again', async () => {
    const { sandbox, account, known, capabilities, pass } = await begin(false)
    expect(await known()).toMatchObject({
      regions: 'no',
      'volume-types': 'no',
      'volume-list': 'no',
      balance: 'no',
      power: 'unknown',
    })
    const before = (await requests(sandbox, '/regions')).length
    const absent = { failure: { kind: 'not-offered-by-service', what: 'regions' } }
    const ask = () => capabilities.using(account, 'regions', () => Promise.resolve('there'))
    await expect(ask()).rejects.toMatchObject(absent)
    expect(await requests(sandbox, '/regions')).toHaveLength(before)
    pass(hour - 1)
    await expect(ask()).rejects.toMatchObject(absent)
    pass(1)
    expect(await known()).toMatchObject({ regions: 'unknown' })
    expect(await ask()).toBe('there')
    expect(await known()).toMatchObject({ regions: 'yes' })
  })

  it('counts as offered for a day, also after a restart', async () => {
    const { account, open, pass } = await begin(true)
    pass(day - 1)
    expect((await open([])).capability(account, 'regions')).toBe('yes')
    pass(1)
    expect((await open([])).capability(account, 'regions')).toBe('unknown')
  })

  it('is unknown after the clock was set back', async () => {
    const { account, capabilities, pass } = await begin(true)
    pass(-10)
    expect(capabilities.capability(account, 'regions')).toBe('unknown')
  })

  it('is forgotten with the account', async () => {
    const { account, capabilities, open } = await begin(true)
    await capabilities.forgetAccount(account)
    expect((await open([])).capability(account, 'regions')).toBe('unknown')
  })

  it('is recorded by its use', async () => {
    const { machine, reboot, known, pushed } = await begin(true)
    await reboot(machine.id)
    expect(await known()).toMatchObject({ power: 'yes' })
    expect(pushed.at(-1)).toMatchObject({ power: 'yes' })
  })

  it('distinguishes a deleted machine from missing power actions', async () => {
    const { sandbox, machine, reboot, known } = await begin(true)
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    await expect(reboot(machine.id)).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', status: 404 },
    })
    expect(await known()).toMatchObject({ power: 'unknown' })
  })

  it('is missing if the machine exists and the endpoint does not', async () => {
    const { sandbox, machine, reboot, known } = await begin(false)
    await expect(reboot(machine.id)).rejects.toMatchObject({
      failure: { kind: 'not-offered-by-service', what: 'power' },
    })
    expect(await known()).toMatchObject({ power: 'no' })
    await expect(reboot(machine.id)).rejects.toMatchObject({ failure: { kind: 'not-offered-by-service' } })
    expect(await requests(sandbox, '/reboot')).toHaveLength(1)
  })

  it.each([
    ['a page of HTML with 404', { status: 404, body: '<html>' }],
    ['405 and nothing', { status: 405, body: '' }],
    ['501 and nothing', { status: 501, body: '' }],
    ['a refusal with HTTP 200', { status: 200, body: '{"status":false,"message":"Route not found"}' }],
  ])('is missing if the machine exists and a power action answers with %s', async (_, fault) => {
    const { sandbox, machine, reboot, known } = await begin(true)
    await control(sandbox, 'POST', '/faults', { kind: 'status', path: '/reboot', ...fault })
    await expect(reboot(machine.id)).rejects.toMatchObject({
      failure: { kind: 'not-offered-by-service', what: 'power' },
    })
    expect(await known()).toMatchObject({ power: 'no' })
  })

  it('stays unknown if a network answers every request with its sign-in page', async () => {
    const { sandbox, machine, reboot, known } = await begin(true)
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 404, body: '<html>', count: 2 })
    await expect(reboot(machine.id)).rejects.toMatchObject({ failure: { kind: 'unexpected-answer' } })
    expect(await known()).toMatchObject({ power: 'unknown' })
  })

  it.each([
    ['the service is out of order', { status: 503 }, 'refused-by-service'],
    ['the state forbids it', { status: 409 }, 'refused-by-service'],
  ])('stays unknown if %s', async (_, fault, kind) => {
    const { sandbox, machine, reboot, known } = await begin(true)
    await control(sandbox, 'POST', '/faults', { kind: 'status', path: '/reboot', ...fault })
    await expect(reboot(machine.id)).rejects.toMatchObject({ failure: { kind } })
    expect(await known()).toMatchObject({ power: 'unknown' })
  })

  it('stays unknown if the machine could not be read again', async () => {
    const { sandbox, machine, reboot, known } = await begin(false)
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 404, path: '/reboot' })
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: machine.id })
    await expect(reboot(machine.id)).rejects.toMatchObject({ failure: { kind: 'refused-by-service' } })
    expect(await known()).toMatchObject({ power: 'unknown' })
  })
})
