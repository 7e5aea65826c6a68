import { BlockList, isIP } from 'node:net'
import type { FirewallRule, NewFirewallRule } from '#shared/service/firewall-rule'

/** Whether two ranges are equal: a service may report 10.1.2.3/24 as 10.1.2.0/24 and omit a /32. */
function isSameRange(listed: string | null | undefined, wanted: string): boolean {
  const [address = '', length] = (listed ?? '').split('/')
  const [wantedAddress = '', wantedLength] = wanted.split('/')
  const version = isIP(address)
  if (version === 0 || version !== isIP(wantedAddress)) return listed === wanted
  const [family, whole] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  const bits = Number(length ?? whole)
  if (bits !== Number(wantedLength ?? whole) || !(bits >= 0 && bits <= whole)) return false
  const range = new BlockList()
  range.addSubnet(address, bits, family)
  return range.check(wantedAddress, family)
}

const isSameWord = (listed: string, wanted: string): boolean => listed.toLowerCase() === wanted.toLowerCase()

/** Whether a listed rule matches a requested one. Pure. */
export function isSameRule(listed: FirewallRule, wanted: NewFirewallRule): boolean {
  // ICMP has no ports, so the service may omit them.
  const isSamePort = (port: number | null | undefined, sent: number): boolean =>
    port === sent || (wanted.protocol === 'icmp' && !port)
  return (
    isSameWord(listed.direction, wanted.direction) &&
    isSameWord(listed.protocol, wanted.protocol) &&
    isSameWord(listed.ethertype, wanted.ethertype) &&
    isSameRange(listed.remote_ip_prefix, wanted.remote_ip_prefix) &&
    isSamePort(listed.port_range_min, wanted.port_range_min) &&
    isSamePort(listed.port_range_max, wanted.port_range_max)
  )
}
