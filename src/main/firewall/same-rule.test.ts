import { describe, expect, it } from 'vitest'
import type { FirewallRule, NewFirewallRule } from '#shared/service/firewall-rule'
import { isSameRule } from './same-rule'

const sent = (change: Partial<NewFirewallRule> = {}): NewFirewallRule => ({
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '10.1.2.3/24',
  port_range_min: 22,
  port_range_max: 22,
  ...change,
})
const listed = (rule: NewFirewallRule, change: Partial<FirewallRule> = {}): FirewallRule => ({
  ...rule,
  id: 'r',
  ...change,
})

describe('a requested rule', () => {
  it.each<[Partial<NewFirewallRule>, Partial<FirewallRule>]>([
    [{}, {}],
    [{}, { remote_ip_prefix: '10.1.2.0/24', protocol: 'TCP' }],
    [{ remote_ip_prefix: '10.1.2.3/32' }, { remote_ip_prefix: '10.1.2.3' }],
    [{ remote_ip_prefix: '0.0.0.0/0' }, { remote_ip_prefix: '0.0.0.0/0' }],
    [{ ethertype: 'IPv6', remote_ip_prefix: '2001:DB8:0::/32' }, { remote_ip_prefix: '2001:db8::/32' }],
    [{ protocol: 'icmp' }, { port_range_min: null, port_range_max: null }],
  ])('is recognised as the service writes it: %j as %j', (wanted, change) => {
    expect(isSameRule(listed(sent(wanted), change), sent(wanted))).toBe(true)
  })

  it.each<Partial<FirewallRule>>([
    { remote_ip_prefix: '10.1.3.0/24' },
    { remote_ip_prefix: '10.1.2.0/25' },
    { remote_ip_prefix: '10.1.2.0/x' },
    { remote_ip_prefix: null },
    { remote_ip_prefix: '2001:db8::/24' },
    { port_range_max: 23 },
    { port_range_min: null },
    { direction: 'outbound' },
  ])('is not taken for another: %j', (change) => {
    expect(isSameRule(listed(sent(), change), sent())).toBe(false)
  })
})
