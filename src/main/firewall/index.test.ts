import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { hastyClock } from '../../../test/fixtures/creation-harness'
import { must } from '../../../test/fixtures/service-client'
import { openSettings } from '../store/settings'
import { createFirewall } from './index'

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-firewall-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { handlers } = createFirewall({
    accounts: harness.accounts,
    documents: openSettings(folder),
    clock: hastyClock(1),
    interfaces: () => ({}),
  })
  const machine = must((await harness.accounts.service(account).machines.list({ limit: 1 })).items[0]).id
  return { account, machine, handlers, sandbox }
}

it('lists a page of rules in the order that the service sorts them', async () => {
  const { account, machine, handlers } = await open()
  const page = {
    account,
    machine,
    sortField: 'port_range_min',
    sortOrder: 'desc',
    limit: 2,
    offset: 0,
  } as const
  const first = await handlers['firewall.list'](page)
  expect(first.total).toBe(3)
  expect(first.rules.map(({ portMin }) => portMin)).toEqual([22, 1])
  const second = await handlers['firewall.list']({ ...page, offset: 2 })
  expect(second.rules).toHaveLength(1)
  expect(first.rules[0]).toMatchObject({ direction: 'inbound', protocol: 'tcp', prefix: '0.0.0.0/0' })
})

it('adds a rule and shows it as the service reports it', async () => {
  const { account, machine, handlers } = await open()
  const rule = {
    direction: 'inbound',
    protocol: 'udp',
    ethertype: 'IPv6',
    remote_ip_prefix: '2001:db8::/32',
    port_range_min: 60_000,
    port_range_max: 61_000,
  } as const
  expect(await handlers['firewall.add']({ account, machine, rule })).toEqual({ kind: 'done' })
  const { rules } = await handlers['firewall.list']({
    account,
    machine,
    limit: 20,
    offset: 0,
    sortField: 'created_at',
    sortOrder: 'asc',
  })
  expect(rules).toContainEqual(
    expect.objectContaining({
      protocol: 'udp',
      prefix: '2001:db8::/32',
      portMin: 60_000,
      description: null,
    }),
  )
})

const web = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '0.0.0.0/0',
  port_range_min: 8443,
  port_range_max: 8443,
} as const

it.each([
  ['before', 'not-done'],
  ['after', 'done'],
] as const)('looks for a rule whose answer was lost %s it acted, and adds it once', async (when, found) => {
  const { account, machine, handlers, sandbox } = await open()
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when, method: 'POST' })
  const input = { account, machine, rule: web }
  expect(await handlers['firewall.add'](input)).toMatchObject({ kind: 'unknown' })
  expect(await handlers['firewall.lookUp'](input)).toBe(found)
  const sent = (await requestsTo(sandbox)).filter((one) => one.includes('POST') && one.includes('firewall'))
  expect(sent).toHaveLength(1)
})

it('does not know what became of a rule where its list cannot be read either', async () => {
  const { account, machine, handlers, sandbox } = await open()
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
  const input = { account, machine, rule: web }
  await handlers['firewall.add'](input)
  await control(sandbox, 'POST', '/faults', { kind: 'status', status: 503, method: 'GET', count: 9 })
  expect(await handlers['firewall.lookUp'](input)).toBe('unknown')
})

it('remembers the address that the person calls their own', async () => {
  const { handlers } = await open()
  expect(await handlers['firewall.ownAddresses']({})).toEqual([])
  await handlers['firewall.rememberAddress']({ address: '203.0.113.9' })
  expect(await handlers['firewall.ownAddresses']({})).toEqual(['203.0.113.9'])
})
