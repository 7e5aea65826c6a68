import { BlockList, isIP } from 'node:net'
import type { FirewallRule, NewFirewallRule } from '#shared/service/firewall-rule'

/** Whether two ranges are the same addresses: a service may write 10.1.2.3/24 as 10.1.2.0/24, and leave out a /32. */
function isSameRange(one: string | null | undefined, wanted: string): boolean {
  const [address = '', length] = (one ?? '').split('/')
  const [wantedAddress = '', wantedLength] = wanted.split('/')
  const version = isIP(address)
  if (version === 0 || version !== isIP(wantedAddress)) return one === wanted
  const [family, whole] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  const bits = Number(length ?? whole)
  if (bits !== Number(wantedLength ?? whole) || !(bits >= 0 && bits <= whole)) return false
  const range = new BlockList()
  range.addSubnet(address, bits, family)
  return range.check(wantedAddress, family)
}

const isSameWord = (one: string, wanted: string): boolean => one.toLowerCase() === wanted.toLowerCase()

/** Whether a rule of the list is the one that was asked for, as far as the service keeps what it was sent. Pure. */
export function isSameRule(one: FirewallRule, wanted: NewFirewallRule): boolean {
  // ICMP has no ports: what was sent there need not come back.
  const isSamePort = (port: number | null | undefined, sent: number): boolean =>
    port === sent || (wanted.protocol === 'icmp' && !port)
  return (
    isSameWord(one.direction, wanted.direction) &&
    isSameWord(one.protocol, wanted.protocol) &&
    isSameWord(one.ethertype, wanted.ethertype) &&
    isSameRange(one.remote_ip_prefix, wanted.remote_ip_prefix) &&
    isSamePort(one.port_range_min, wanted.port_range_min) &&
    isSamePort(one.port_range_max, wanted.port_range_max)
  )
}
