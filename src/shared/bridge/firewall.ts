import { z } from 'zod'
import { NewFirewallRule } from '../service/firewall-rule'
import { OneMachine } from './account'
import { call } from './define'
import { ExtraField } from './fleet'
import { ActionOutcome, LookUp } from './machine-action'
import { UnreadableRecords } from './listing'

/** A firewall rule; null is unknown. `createdAt` is epoch seconds. */
export const FirewallRuleView = z.object({
  id: z.string(),
  direction: z.string(),
  protocol: z.string(),
  ethertype: z.string(),
  prefix: z.string().nullable(),
  portMin: z.number().nullable(),
  portMax: z.number().nullable(),
  description: z.string().nullable(),
  createdAt: z.number().nullable(),
  more: z.array(ExtraField),
})
export type FirewallRuleView = z.infer<typeof FirewallRuleView>

/** Fields by which the service sorts its rules (api-spec.md §1, §2). */
export const FirewallSortField = z.enum([
  'direction',
  'protocol',
  'remote_ip_prefix',
  'port_range_min',
  'created_at',
])
export type FirewallSortField = z.infer<typeof FirewallSortField>

export const FirewallPage = z.object({
  rules: z.array(FirewallRuleView),
  total: z.number().nullable(),
  unreadable: UnreadableRecords.optional(),
})
export type FirewallPage = z.infer<typeof FirewallPage>

export const OwnAddress = z.object({
  address: z.string(),
  /** The machine sees it over a current connection, a network interface has it, or the user typed it. */
  from: z.enum(['machine', 'interface', 'remembered']),
  /** Epoch seconds at which it was typed; null otherwise. */
  rememberedAt: z.number().nullable(),
})
export type OwnAddress = z.infer<typeof OwnAddress>

export const firewallCalls = {
  'firewall.list': call(
    OneMachine.extend({
      limit: z.number().int().min(1).max(200),
      offset: z.number().int().nonnegative(),
      sortField: FirewallSortField,
      sortOrder: z.enum(['asc', 'desc']),
    }),
    FirewallPage,
  ),
  /** Sent once. Fails as the client does if nothing was added for certain. */
  'firewall.add': call(OneMachine.extend({ rule: NewFirewallRule }), ActionOutcome),
  /** Checks, with several readings, for a rule whose answer was lost. */
  'firewall.lookUp': call(OneMachine.extend({ rule: NewFirewallRule }), LookUp),
  /** Addresses by which the machine may see this computer, the most certain first. May be empty. */
  'firewall.ownAddresses': call(OneMachine, z.array(OwnAddress)),
  'firewall.rememberAddress': call(z.object({ address: z.union([z.ipv4(), z.ipv6()]) }), z.void()),
} as const
