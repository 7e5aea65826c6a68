import { z } from 'zod'
import { NewFirewallRule } from '../service/firewall-rule'
import { AccountId } from './account'
import { call } from './define'
import { ExtraField } from './fleet'
import { ActionOutcome, LookUp } from './machine-action'
import { UnreadableRecords } from './listing'

/** A firewall rule as the service reports it; null is unknown. `createdAt` is epoch seconds. */
export const FirewallRuleView = z.object({
  id: z.string(),
  /** Values never seen before are shown as they are, as in `protocol` and `ethertype`. */
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
  /** Rules in the whole list; null where the service does not say. */
  total: z.number().nullable(),
  /** Absent where all could be read. */
  unreadable: UnreadableRecords.optional(),
})
export type FirewallPage = z.infer<typeof FirewallPage>

/** An address of this computer, and how it is known. */
export const OwnAddress = z.object({
  address: z.string(),
  /** The machine sees it over a connection of now; it is one of this computer's own; the person once typed it. */
  from: z.enum(['machine', 'interface', 'remembered']),
  /** When it was typed, in epoch seconds; null: not typed. */
  rememberedAt: z.number().nullable(),
})
export type OwnAddress = z.infer<typeof OwnAddress>

const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })

export const firewallCalls = {
  /** One page, sorted by the service. Fails as the client does. */
  'firewall.list': call(
    OneMachine.extend({
      limit: z.number().int().min(1).max(200),
      offset: z.number().int().nonnegative(),
      sortField: FirewallSortField,
      sortOrder: z.enum(['asc', 'desc']),
    }),
    FirewallPage,
  ),
  /** Sent once. Fails as the client does where nothing was added for certain. */
  'firewall.add': call(OneMachine.extend({ rule: NewFirewallRule }), ActionOutcome),
  /** Whether a rule whose answer was lost is there: read several times before it is not. */
  'firewall.lookUp': call(OneMachine.extend({ rule: NewFirewallRule }), LookUp),
  /** Addresses by which the machine may see this computer, the surest first. Never fails for want of one. */
  'firewall.ownAddresses': call(OneMachine, z.array(OwnAddress)),
  /** Remembers an address as this computer's. */
  'firewall.rememberAddress': call(z.object({ address: z.union([z.ipv4(), z.ipv6()]) }), z.void()),
} as const
