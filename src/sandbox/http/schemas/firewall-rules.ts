import { z } from 'zod'
import * as shared from '#shared/service/firewall-rule'
import { exampleId, exampleTime, Id, oneOf, Timestamp } from './common'

const example = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '10.0.0.0/8',
  port_range_min: 8_000,
  port_range_max: 8_080,
  description: 'dashboards',
}

const rangeOf = (ethertype: 'IPv4' | 'IPv6', range: z.ZodType) => ({
  type: 'object',
  properties: {
    ethertype: { const: ethertype },
    remote_ip_prefix: { type: 'string', pattern: z.toJSONSchema(range).pattern },
  },
})

/** New rule. JSON Schema cannot compare the two ports, so only the description contains that rule. */
export const NewFirewallRule = shared.NewFirewallRule.meta({
  id: 'NewFirewallRule',
  description:
    'remote_ip_prefix is a CIDR range of the given ethertype; port_range_max must not be smaller than port_range_min.',
  anyOf: [rangeOf('IPv4', z.cidrv4()), rangeOf('IPv6', z.cidrv6())],
  examples: [example],
})

const Port = z.number().int().min(1).max(65_535)
const fields = {
  id: Id,
  direction: oneOf('inbound', 'outbound'),
  protocol: oneOf('tcp', 'udp', 'icmp', 'any'),
  ethertype: oneOf('IPv4', 'IPv6'),
  remote_ip_prefix: z.string(),
  port_range_min: Port,
  port_range_max: Port,
  description: z.string(),
}

export const AddedFirewallRule = z
  .strictObject(fields)
  .meta({ id: 'AddedFirewallRule', examples: [{ ...example, id: exampleId }] })

export const FirewallRule = z
  .strictObject({ ...fields, created_at: Timestamp })
  .meta({ id: 'FirewallRule', examples: [{ ...example, id: exampleId, created_at: exampleTime }] })
