import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import type { Creation } from '#shared/bridge/creation'
import { FailureError } from '#shared/failure'
import type { NewFirewallRule } from '#shared/service/firewall-rule'
import { createApiTokens } from '../../src/main/api-tokens/index'
import { createFirewall } from '../../src/main/firewall/index'
import { connectWithToken, control, runSandbox, setUp } from '../fixtures/account-harness'
import { openCreation, when } from '../fixtures/creation-harness'
import { orderFor } from '../fixtures/creation-order'
import { eagerClock } from '../fixtures/fake-clock'
import { flakySettings } from '../fixtures/flaky-settings'
import { type HabitName, startOddService } from '../fixtures/odd-service/index'
import { must } from '../fixtures/service-client'

const begin = async (habits: readonly HabitName[] = []) => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, habits)
  onTestFinished(() => odd.close())
  const harness = await setUp()
  const { accounts } = harness
  const { id: account } = await connectWithToken(harness, { ...sandbox, baseUrl: odd.baseUrl })
  const service = accounts.service(account)
  /** The next answer to a creation is lost; `acts`: the service creates the machine anyway. */
  const lose = (acts: boolean) =>
    control(sandbox, 'POST', '/faults', { kind: 'drop', when: acts ? 'after' : 'before', method: 'POST' })
  return { odd, accounts, account, service, lose }
}

const createMachine = async ({ accounts, account, service }: Awaited<ReturnType<typeof begin>>) => {
  const clock = eagerClock()
  const { harness } = await openCreation({ accounts, clock })
  const machine = orderFor(await service.flavors.list(), await service.images.list(), 'train-1')
  const create = () =>
    harness.handlers['machine.create']({
      request: randomUUID(),
      account,
      again: [],
      identityFile: null,
      machine,
    })
  const settled = ({ id }: Creation, ...states: readonly Creation['state']['kind'][]) =>
    when(harness, account, id, ...states)
  return { create, settled, harness }
}

it.each([['odd-records'], ['total-too-large']] as const)(
  'a machine is not reported as absent if an incompletely read list may contain it (%s)',
  async (habit) => {
    const opened = await begin()
    const { create, settled } = await createMachine(opened)
    await opened.lose(false)
    const sent = create()
    opened.odd.setHabits([habit])
    const { state } = await settled(await sent, 'unknown', 'absent')
    expect(state).toEqual({ kind: 'unknown' })
    await expect(create()).rejects.toMatchObject({ failure: { field: 'name', reason: 'outcome-open' } })
    opened.odd.setHabits([])
    expect((await settled(await sent, 'absent')).state).toEqual({ kind: 'absent', others: [] })
  },
)

it('a record that becomes readable later does not count as the new machine', async () => {
  const opened = await begin()
  const before = must((await opened.service.machines.list({ limit: 1 })).items[0])
  const { machines } = opened.service
  let isHidden = true
  const list: typeof machines.list = async (query) => {
    const page = await machines.list(query)
    if (!isHidden) return { ...page, items: page.items.map((one) => ({ ...one, name: 'train-1' })) }
    const unreadable = page.items.flatMap(({ id }, index) =>
      id === before.id ? [{ index, id, text: '{}' }] : [],
    )
    return { ...page, items: page.items.filter(({ id }) => id !== before.id), unreadable }
  }
  const service = { ...opened.service, machines: { ...machines, list } }
  const { create, settled } = await createMachine({
    ...opened,
    accounts: { ...opened.accounts, service: () => service },
  })
  await opened.lose(false)
  const sent = await create()
  isHidden = false
  expect((await settled(sent, 'absent', 'created', 'unclear')).state.kind).toBe('absent')
})

it('an API token is not reported as absent if an unreadable record may be it', async () => {
  const { accounts, account, odd, lose } = await begin()
  const capabilities = { using: <T>(_: string, __: string, act: () => Promise<T>) => act() }
  const tokens = createApiTokens({ accounts, capabilities, clock: eagerClock() })
  onTestFinished(() => tokens.close())
  await lose(false)
  const created = await tokens.handlers['apiTokens.create']({
    account,
    token: { name: 'ci', description: '' },
  })
  expect(created.kind).toBe('unknown')
  const lookUp = () => tokens.handlers['apiTokens.lookUp']({ account, name: 'ci', before: [] })
  odd.setHabits(['odd-records'])
  await expect(lookUp()).rejects.toBeInstanceOf(FailureError)
  odd.setHabits([])
  expect(await lookUp()).toBeNull()
})

it('a firewall rule is not reported as absent if an unreadable record may be it', async () => {
  const { accounts, account, odd, service } = await begin()
  const firewall = createFirewall({
    accounts,
    documents: flakySettings(),
    clock: eagerClock(),
    interfaces: () => ({}),
    sshMachines: { ifConnected: () => Promise.resolve(null) },
  })
  const machine = must((await service.machines.list({ limit: 1 })).items[0]).id
  const rule: NewFirewallRule = {
    direction: 'inbound',
    protocol: 'tcp',
    ethertype: 'IPv4',
    remote_ip_prefix: '10.0.0.0/8',
    port_range_min: 9,
    port_range_max: 9,
  }
  const lookUp = () => firewall.handlers['firewall.lookUp']({ account, machine, rule })
  odd.setHabits(['odd-records'])
  expect(await lookUp()).toBe('unknown')
  odd.setHabits([])
  expect(await lookUp()).toBe('not-done')
})
