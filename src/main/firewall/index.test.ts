import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { eagerClock } from '../../../test/fixtures/fake-clock'
import { signedIn } from '../../../test/fixtures/login-shell'
import { must } from '../../../test/fixtures/service-client'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { transports } from '../../../test/fixtures/system-ssh'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { openSettings } from '../store/settings'
import { createFirewall } from './index'
import { seenAddress } from './own-addresses'

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-firewall-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const interfaces: string[] = []
  let connection: SshConnection | undefined
  const firewall = createFirewall({
    accounts: harness.accounts,
    documents: openSettings(folder),
    clock: { ...eagerClock(), now: () => 1_000 },
    sshMachines: {
      ifConnected: async (_account, _machine, use) => (connection ? use(connection) : null),
    },
    interfaces: () => ({
      eth0: interfaces.map((address) => ({
        address,
        family: 'IPv4' as const,
        netmask: '255.255.255.0',
        mac: '00:00:00:00:00:00',
        internal: false,
        cidr: null,
      })),
    }),
  })
  const { handlers } = firewall
  const machine = must((await harness.accounts.service(account).machines.list({ limit: 1 })).items[0]).id
  const useConnection = (next: SshConnection): void => {
    connection = next
  }
  return { account, machine, handlers, sandbox, firewall, interfaces, useConnection }
}

it('lists a page of rules in the service’s order', async () => {
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

const lost = () => Promise.reject(new ChannelError('lost', 'connection lost'))
const noConnection: SshConnection = {
  exec: lost,
  run: lost,
  pipe: lost,
  shell: lost,
  forward: lost,
  sftp: lost,
  onLost: () => () => undefined,
  close: () => undefined,
}

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
] as const)(
  'looks up a rule whose answer was lost %s the service acted, and adds it once',
  async (when, found) => {
    const { account, machine, handlers, sandbox } = await open()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when, method: 'POST' })
    const input = { account, machine, rule: web }
    expect(await handlers['firewall.add'](input)).toMatchObject({ kind: 'unknown' })
    expect(await handlers['firewall.lookUp'](input)).toBe(found)
    const sent = (await requestsTo(sandbox)).filter((one) => one.includes('POST') && one.includes('firewall'))
    expect(sent).toHaveLength(1)
  },
)

it('does not know the outcome if the list cannot be read either', async () => {
  const { account, machine, handlers, sandbox } = await open()
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
  const input = { account, machine, rule: web }
  await handlers['firewall.add'](input)
  await control(sandbox, 'POST', '/faults', { kind: 'status', status: 503, method: 'GET', count: 9 })
  expect(await handlers['firewall.lookUp'](input)).toBe('unknown')
})

it('offers the address seen by the machine first, and the entered one last', async () => {
  const { account, machine, handlers, interfaces, useConnection } = await open()
  const ask = () => handlers['firewall.ownAddresses']({ account, machine })
  expect(await ask()).toEqual([])
  await handlers['firewall.rememberAddress']({ address: '203.0.113.9' })
  const remembered = { address: '203.0.113.9', from: 'remembered', rememberedAt: 1_000 }
  expect(await ask()).toEqual([remembered])

  // Current addresses come before an earlier one.
  interfaces.push('1.1.1.1')
  useConnection({
    ...noConnection,
    exec: () =>
      Promise.resolve({ kind: 'finished', stdout: '8.8.8.8 5022 10.0.0.5 22', stderr: '', status: 0 }),
  })
  expect(await ask()).toEqual([
    { address: '8.8.8.8', from: 'machine', rememberedAt: null },
    { address: '1.1.1.1', from: 'interface', rememberedAt: null },
    remembered,
  ])
  useConnection(noConnection)
  expect((await ask()).map(({ from }) => from)).toEqual(['interface', 'remembered'])
})

it('masks undescribed text and reveals one field at a time', async () => {
  const { account, machine, handlers, firewall, sandbox } = await open()
  const rule = {
    id: 'r1',
    direction: 'inbound',
    protocol: 'tcp',
    ethertype: 'IPv4',
    hits: 3,
    note: 'do not reveal',
  }
  const answer = { status: true, message: 'Rules', data: [rule], total: 1 }
  const fault = { kind: 'status', status: 200, path: '/firewall-rules', count: 9 }
  await control(sandbox, 'POST', '/faults', { ...fault, body: JSON.stringify(answer) })
  const { rules } = await handlers['firewall.list']({
    account,
    machine,
    limit: 10,
    offset: 0,
    sortField: 'direction',
    sortOrder: 'asc',
  })
  expect(rules[0]?.more).toEqual([
    { path: 'hits', value: '3' },
    { path: 'note', value: null },
  ])
  const note = { kind: 'firewall-field', machine, rule: 'r1', path: 'note' } as const
  expect(await firewall.secret(account, note)).toBe('do not reveal')
  await expect(firewall.secret(account, { ...note, path: 'none' })).rejects.toMatchObject({
    failure: { kind: 'invalid-input', field: 'secret' },
  })
})

describeWith(['sshd'], 'a machine whose start-up file prints', () => {
  it.each(transports)('also shows the address of this computer: %s', async (transport) => {
    // Over loopback the seen address is useless.
    const files = { '.bashrc': 'echo hello; export SSH_CONNECTION="198.51.99.7 4 198.51.99.8 22"\n' }
    const connection = await signedIn('/bin/bash', { files, transport })
    expect(await seenAddress(connection)).toBe('198.51.99.7')
  })
})
