import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NewFirewallRule } from '#shared/service/firewall-rule'
import { must, refusal, useSandboxClient } from '../../../test/fixtures/service-client'

const client = useSandboxClient(2)

const rule: NewFirewallRule = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '203.0.113.0/24',
  port_range_min: 8_000,
  port_range_max: 8_080,
}

let machine = ''
beforeEach(async () => {
  machine = must((await client.service.machines.list({ limit: 1 })).items[0]).id
})

describe('the firewall of a machine', () => {
  it('lists an added rule with its values, an id and the time', async () => {
    const before = await client.service.firewallRules.list(machine, { limit: 1_000 })
    const added = await client.service.firewallRules.add(machine, { ...rule, description: 'web' })
    expect(added).toMatchObject({ ...rule, description: 'web' })
    const after = await client.service.firewallRules.list(machine, { limit: 1_000 })
    expect(after.total).toBe(must(before.total) + 1)
    const listed = after.items.find(({ id }) => id === added.id)
    expect(listed).toMatchObject({ ...rule, description: 'web' })
    expect(listed?.created_at).toBeGreaterThan(0)
  })

  it('has no description if none was sent', async () => {
    expect((await client.service.firewallRules.add(machine, rule)).description).toBe('')
  })

  it('accepts every documented direction, protocol and family, and ports at both limits', async () => {
    for (const direction of ['inbound', 'outbound'] as const) {
      for (const protocol of ['tcp', 'udp', 'icmp'] as const) {
        const ports = { port_range_min: 1, port_range_max: 65_535 }
        const wanted = {
          ...rule,
          ...ports,
          direction,
          protocol,
          ethertype: 'IPv6',
          remote_ip_prefix: '2001:db8::/32',
        } as const
        expect(await client.service.firewallRules.add(machine, wanted)).toMatchObject(wanted)
      }
    }
  })

  it('is listed in pages and sorted', async () => {
    const sorted = await client.service.firewallRules.list(machine, {
      limit: 3,
      offset: 1,
      sortField: 'port_range_min',
      sortOrder: 'desc',
    })
    const ports = sorted.items.map(({ port_range_min }) => must(port_range_min))
    expect(ports).toHaveLength(3)
    expect(ports).toEqual([...ports].sort((left, right) => right - left))
    expect(sorted.total).toBeGreaterThan(3)
  })

  it('shows the protocol any, which cannot be requested', async () => {
    const { items } = await client.service.firewallRules.list(machine, { limit: 1_000 })
    expect(items.some(({ protocol }) => protocol === 'any')).toBe(true)
  })

  it.each([
    ['direction', 'sideways'],
    ['protocol', 'any'],
    ['protocol', 'TCP'],
    ['ethertype', 'ipv4'],
    ['remote_ip_prefix', '203.0.113.0'],
    ['remote_ip_prefix', '203.0.113.0/33'],
    ['remote_ip_prefix', '2001:db8::/32'],
    ['port_range_min', 0],
    ['port_range_min', 1.5],
    ['port_range_min', '80'],
    ['port_range_max', 65_536],
    ['port_range_max', 7_999],
    ['direction', undefined],
    ['protocol', undefined],
    ['ethertype', undefined],
    ['remote_ip_prefix', undefined],
    ['port_range_min', undefined],
    ['port_range_max', undefined],
  ])('refuses a rule with %s %j', async (field, value) => {
    const path = `/virtual-machines/${machine}/firewall-rules`
    const attempt = client.http.send('POST', path, { ...rule, [field]: value }, z.unknown())
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })

  it('requires an existing machine', async () => {
    await expect(client.service.firewallRules.list('unknown', {})).rejects.toMatchObject(refusal(404, 'id'))
    await expect(client.service.firewallRules.add('unknown', rule)).rejects.toMatchObject(refusal(404, 'id'))
  })
})
