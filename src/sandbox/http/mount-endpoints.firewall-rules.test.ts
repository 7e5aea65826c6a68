import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FirewallRule } from '#shared/service/firewall-rule'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'

const rule = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '10.0.0.0/8',
  port_range_min: 8_000,
  port_range_max: 8_080,
}

describe('firewall rules of the sandbox', () => {
  let sandbox: TestSandbox
  let path = ''
  beforeAll(async () => {
    sandbox = await startTestSandbox()
    const [machine] = await sandbox.read(z.array(z.object({ id: z.string() })), '/virtual-machines')
    path = `/virtual-machines/${machine?.id}/firewall-rules`
  })
  afterAll(() => sandbox.close())

  it('adds a rule and lists it after the default rules', async () => {
    const before = await sandbox.read(z.array(FirewallRule), path)
    expect(before.map(({ protocol }) => protocol)).toContain('any')
    const answer = await sandbox.ask('POST', path, { ...rule, description: 'dashboards' })
    expect(answer).toMatchObject({ code: 200, data: { ...rule, description: 'dashboards' } })
    const after = await sandbox.ask('GET', path)
    expect(after.total).toBe(before.length + 1)
    const added = z.array(FirewallRule).parse(after.data).at(-1)
    expect(added).toMatchObject({ ...rule, description: 'dashboards' })
    expect(added?.created_at).toBeGreaterThan(0)
  })

  it('sorts and pages them', async () => {
    const rules = await sandbox.read(
      z.array(FirewallRule),
      `${path}?sortField=port_range_max&sortOrder=desc&limit=2`,
    )
    expect(rules.map((one) => one.port_range_max)).toEqual([65_535, 65_535])
  })

  it.each([
    { ...rule, port_range_min: 1, port_range_max: 65_535 },
    { ...rule, port_range_min: 443, port_range_max: 443, direction: 'outbound', protocol: 'udp' },
    { ...rule, ethertype: 'IPv6', remote_ip_prefix: '2001:db8::/32', protocol: 'icmp' },
  ])('accepts %j', async (body) => {
    expect((await sandbox.ask('POST', path, body)).code).toBe(200)
  })

  it.each([
    ['direction', { direction: 'sideways' }],
    ['protocol', { protocol: 'any' }],
    ['ethertype', { ethertype: 'IPv5' }],
    ['remote_ip_prefix', { remote_ip_prefix: 'everywhere' }],
    ['remote_ip_prefix', { remote_ip_prefix: '10.0.0.0' }],
    ['remote_ip_prefix', { remote_ip_prefix: '10.0.0.0/33' }],
    ['remote_ip_prefix', { remote_ip_prefix: '2001:db8::/32' }],
    ['remote_ip_prefix', { ethertype: 'IPv6' }],
    ['port_range_min', { port_range_min: 0 }],
    ['port_range_max', { port_range_max: 65_536 }],
    ['port_range_min', { port_range_min: 22.5 }],
    ['port_range_max', { port_range_min: 9_000 }],
    ['port_range_max', { port_range_max: undefined }],
  ])('refuses a wrong %s: %j', async (field, change) => {
    const answer = await sandbox.ask('POST', path, { ...rule, ...change })
    expect(answer).toMatchObject({ code: 400, status: false, data: { field } })
    expect(answer.message).toContain(field)
  })
})
