import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { type HabitName, startOddService } from '../../../test/fixtures/odd-service/index'
import { createCapabilities } from './index'

const begin = async (habit: HabitName) => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, [habit])
  onTestFinished(() => odd.close())
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox, { url: odd.baseUrl })
  const capabilities = createCapabilities({
    accounts: harness.accounts,
    settings: flakySettings(),
    clock: fakeClock(),
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  onTestFinished(() => capabilities.close())
  await capabilities.probe(account)
  const service = harness.accounts.service(account)
  const [machine] = (await service.machines.list({ limit: 1 })).items
  const id = machine?.id ?? ''
  const reboot = () =>
    capabilities.using(
      account,
      'power',
      () => service.power.change(id, 'reboot'),
      () => service.machines.get(id),
    )
  const refuse = (status: number, message: string) =>
    control(sandbox, 'POST', '/faults', { kind: 'status', status, message, path: '/reboot' })
  return { account, capabilities, harness, service, reboot, refuse }
}

describe('a service with unusual answers for missing capabilities', () => {
  it.each<HabitName>(['absent-is-html', 'absent-is-405', 'absent-is-501', 'absent-is-status-false'])(
    'is known to lack it: %s',
    async (habit) => {
      const { account, capabilities, service } = await begin(habit)
      expect(capabilities.handlers['capabilities.read']({ account })).toMatchObject({
        regions: 'no',
        'volume-types': 'no',
        'volume-list': 'no',
        balance: 'no',
      })
      const create = capabilities.using(
        account,
        'create-token',
        () => service.apiTokens.create({ name: 'a' }),
        () => service.apiTokens.list({ limit: 1 }),
      )
      await expect(create).rejects.toMatchObject({ failure: { kind: 'not-offered-by-service' } })
      expect((await service.machines.list({})).total).toBe(12)
    },
  )

  it('does not lack a list if it refuses a page past the end', async () => {
    const { account, capabilities, service } = await begin('past-end-refused')
    const list = (offset: number) =>
      capabilities.using(account, 'volume-list', () => service.volumes.list({ offset, limit: 200 }))
    const { items } = await list(0)
    await expect(list(items.length)).rejects.toMatchObject({ failure: { status: 404 } })
    expect(capabilities.capability(account, 'volume-list')).toBe('yes')
  })

  it('does not lack an endpoint if it refuses with a similar message for another reason', async () => {
    const { account, capabilities, reboot, refuse } = await begin('balance-forbidden')
    await refuse(409, 'Reboot is not supported while the machine is creating')
    await expect(reboot()).rejects.toMatchObject({ failure: { status: 409 } })
    expect(capabilities.capability(account, 'power')).toBe('unknown')
    await reboot()
    await refuse(400, 'Image not found')
    await expect(reboot()).rejects.toMatchObject({ failure: { status: 400 } })
    expect(capabilities.capability(account, 'power')).toBe('yes')
  })

  it('remembers nothing of an account that was forgotten during a request', async () => {
    const { account, capabilities, harness } = await begin('balance-forbidden')
    await capabilities.using(account, 'create-token', async () => {
      await harness.accounts.handlers['accounts.signOut']({ account })
      await capabilities.forgetAccount(account)
    })
    expect(capabilities.capability(account, 'create-token')).toBe('unknown')
  })

  it('distinguishes forbidden from missing capabilities, and updates them when they are allowed', async () => {
    const { account, capabilities } = await begin('balance-forbidden')
    const state = () => capabilities.capability(account, 'balance')
    expect(state()).toBe('forbidden')
    expect(capabilities.capability(account, 'regions')).toBe('yes')
    await capabilities.using(account, 'balance', () => Promise.resolve('allowed'))
    expect(state()).toBe('yes')
  })
})
