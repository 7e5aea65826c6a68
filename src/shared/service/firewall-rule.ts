import { z } from 'zod'
import { OptionalNumber, OptionalText } from './optional'
import { limits } from './limits'
import { OptionalTime } from './time'

/** A firewall rule (api-spec.md §2); lists also show the protocol `any`. `created_at` is epoch seconds. */
export const FirewallRule = z.looseObject({
  id: z.string().min(1),
  direction: z.string(),
  protocol: z.string(),
  ethertype: z.string(),
  remote_ip_prefix: OptionalText,
  port_range_min: OptionalNumber,
  port_range_max: OptionalNumber,
  description: OptionalText,
  created_at: OptionalTime,
})
export type FirewallRule = z.infer<typeof FirewallRule>

const Port = z.number().int().min(limits.port.min).max(limits.port.max)

/** Body of POST /virtual-machines/{id}/firewall-rules (api-spec.md §4). The prefix must match the ethertype. */
export const NewFirewallRule = z
  .object({
    direction: z.enum(['inbound', 'outbound']),
    protocol: z.enum(['tcp', 'udp', 'icmp']),
    ethertype: z.enum(['IPv4', 'IPv6']),
    remote_ip_prefix: z.string().min(1),
    port_range_min: Port,
    port_range_max: Port,
    description: z.string().optional(),
  })
  .refine((rule) => rule.port_range_min <= rule.port_range_max, {
    path: ['port_range_max'],
    message: 'must not be smaller than port_range_min',
  })
  .refine(
    (rule) => (rule.ethertype === 'IPv4' ? z.cidrv4() : z.cidrv6()).safeParse(rule.remote_ip_prefix).success,
    { path: ['remote_ip_prefix'], message: 'must be an address range of the given ethertype' },
  )
export type NewFirewallRule = z.infer<typeof NewFirewallRule>
