import type { networkInterfaces } from 'node:os'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { firewallCalls, FirewallRuleView, OwnAddress } from '#shared/bridge/firewall'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { FirewallFieldRef } from '#shared/bridge/secret'
import type { FirewallRule, NewFirewallRule } from '#shared/service/firewall-rule'
import type { Accounts } from '../accounts/index'
import type { Sections } from '../store/settings'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import { pageSizes } from '#shared/page-sizes'
import { readAll } from '../core/read-all-pages'
import { createLookUp, sentOnce } from '../core/at-most-once'
import { readRange } from '../core/read-range'
import { unreadableView } from '../core/unreadable'
import { undescribedFields, revealedField, shownFields } from '../core/extra-fields'
import type { SshMachines } from '../ssh/machines/index'
import { publicAddresses, seenAddress } from './own-addresses'
import { isSameRule } from './same-rule'

export interface FirewallDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly documents: Sections
  readonly clock: Clock
  interfaces(): ReturnType<typeof networkInterfaces>
  readonly sshMachines: Pick<SshMachines, 'ifConnected'>
}

const FirewallSettings = z.object({
  ownAddress: z.string().nullable().default(null),
  /** Time of that entry in epoch seconds. */
  ownAddressAt: z.number().nullable().default(null),
})

const described = [
  'id',
  'direction',
  'protocol',
  'ethertype',
  'remote_ip_prefix',
  'port_range_min',
  'port_range_max',
  'description',
  'created_at',
] as const

const firewallRuleView = (rule: FirewallRule): FirewallRuleView => ({
  id: rule.id,
  direction: rule.direction,
  protocol: rule.protocol,
  ethertype: rule.ethertype,
  prefix: rule.remote_ip_prefix || null,
  portMin: rule.port_range_min ?? null,
  portMax: rule.port_range_max ?? null,
  description: rule.description || null,
  createdAt: rule.created_at || null,
  more: shownFields(undescribedFields(rule, described)),
})

/** Manages the firewalls of machines. Only the user's own address is stored. */
export function createFirewall({ accounts, documents, clock, interfaces, sshMachines }: FirewallDeps) {
  const section = documents.section('firewall', FirewallSettings)
  const { lookUp, close } = createLookUp(clock)

  /** Lists candidates for the user's own address. The entered one is last: the provider may have reassigned it. */
  async function ownAddresses(account: AccountId, machine: string): Promise<OwnAddress[]> {
    await section.ready()
    const { ownAddress, ownAddressAt } = section.read()
    const seenByMachine = await sshMachines.ifConnected(account, machine, seenAddress)
    const addresses: OwnAddress[] = [
      ...(seenByMachine === null
        ? []
        : [{ address: seenByMachine, from: 'machine' as const, rememberedAt: null }]),
      ...publicAddresses(interfaces()).map((address) => ({
        address,
        from: 'interface' as const,
        rememberedAt: null,
      })),
      ...(ownAddress === null
        ? []
        : [{ address: ownAddress, from: 'remembered' as const, rememberedAt: ownAddressAt }]),
    ]
    return addresses.filter(
      ({ address }, index) => addresses.findIndex((other) => other.address === address) === index,
    )
  }

  const add = ({ account, machine, rule }: CallInput<'firewall.add'>): Promise<ActionOutcome> =>
    sentOnce('firewall.add', () => accounts.service(account).firewallRules.add(machine, rule))
  /** Checks, with several readings, for a rule whose answer was lost. */
  function find({ account, machine, rule }: CallInput<'firewall.lookUp'>): Promise<LookUp> {
    const { firewallRules } = accounts.service(account)
    return lookUp(async () => {
      const { items, complete, unreadable } = await readAll(
        (page) => firewallRules.list(machine, page),
        pageSizes.resources,
      )
      if (items.some((listed) => isSameRule(listed, rule))) return 'done'
      return complete && unreadable.length === 0 ? 'not-done' : 'unknown'
    })
  }

  const handlers: HandlersOf<typeof firewallCalls> = {
    'firewall.list': async ({ account, machine, ...page }) => {
      const { firewallRules } = accounts.service(account)
      const read = await readRange((part) => firewallRules.list(machine, part), page)
      const unreadable = unreadableView(read.unreadable ?? [])
      return {
        rules: read.items.map(firewallRuleView),
        total: read.total ?? null,
        ...(unreadable && { unreadable }),
      }
    },
    'firewall.add': add,
    'firewall.lookUp': find,
    'firewall.ownAddresses': ({ account, machine }) => ownAddresses(account, machine),
    'firewall.rememberAddress': async ({ address }) => {
      await section.change((value) => ({ ...value, ownAddress: address, ownAddressAt: clock.now() }))
    },
  }
  return defineModule({
    handlers,
    events: {},
    forgetAccount: 'keeps-nothing',
    close,
    add,
    find,
    /** Whether a machine has a rule, as far as its list can be read. Fails as the client does. */
    async hasRule(account: AccountId, machine: string, rule: NewFirewallRule): Promise<boolean> {
      const { firewallRules } = accounts.service(account)
      const { items } = await readAll((page) => firewallRules.list(machine, page), pageSizes.resources)
      return items.some((listed) => isSameRule(listed, rule))
    },
    /** Reads the plain text of a masked field. Fails with invalid-input (secret) and as the client does. */
    async secret(account: AccountId, wanted: z.infer<typeof FirewallFieldRef>): Promise<string> {
      const { firewallRules } = accounts.service(account)
      const { items } = await readAll((page) => firewallRules.list(wanted.machine, page), pageSizes.resources)
      const rule = items.find(({ id }) => id === wanted.rule)
      return revealedField(undescribedFields(rule, described), wanted.path)
    },
  })
}
export type Firewall = ReturnType<typeof createFirewall>
