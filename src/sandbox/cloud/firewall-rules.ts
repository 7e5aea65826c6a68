import type { NewFirewallRule } from '#shared/service/firewall-rule'
import type { FirewallRuleRecord, MachineRecord } from './records'
import type { Cloud } from './cloud'

const anyIpv4 = '0.0.0.0/0'
const anyIpv6 = '::/0'

/** Returns the rules of a new machine: SSH in, everything out, and HTTPS in for an inference machine. */
export function defaultFirewallRules(
  newId: () => string,
  createdTime: number,
  serves: boolean,
): FirewallRuleRecord[] {
  const rule = (
    direction: string,
    protocol: string,
    ethertype: string,
    [portMin, portMax]: readonly [number, number],
    description: string,
  ): FirewallRuleRecord => ({
    id: newId(),
    direction,
    protocol,
    ethertype,
    prefix: ethertype === 'IPv6' ? anyIpv6 : anyIpv4,
    portMin,
    portMax,
    description,
    createdTime,
  })
  return [
    rule('inbound', 'tcp', 'IPv4', [22, 22], 'SSH'),
    rule('outbound', 'any', 'IPv4', [1, 65_535], ''),
    rule('outbound', 'any', 'IPv6', [1, 65_535], ''),
    ...(serves ? [rule('inbound', 'tcp', 'IPv4', [443, 443], 'HTTPS')] : []),
  ]
}

export function addFirewallRule(
  cloud: Cloud,
  machine: MachineRecord,
  request: NewFirewallRule,
): FirewallRuleRecord {
  const rule: FirewallRuleRecord = {
    id: cloud.newId(),
    direction: request.direction,
    protocol: request.protocol,
    ethertype: request.ethertype,
    prefix: request.remote_ip_prefix,
    portMin: request.port_range_min,
    portMax: request.port_range_max,
    description: request.description ?? '',
    createdTime: cloud.now(),
  }
  machine.firewallRules.push(rule)
  cloud.changed()
  return rule
}
