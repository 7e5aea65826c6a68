import type { networkInterfaces } from 'node:os'
import { z } from 'zod'
import type { firewallCalls, FirewallRuleView } from '#shared/bridge/firewall'
import type { HandlersOf } from '#shared/bridge/index'
import type { FirewallRule, NewFirewallRule } from '#shared/service/firewall-rule'
import type { Accounts } from '../accounts/index'
import type { Sections } from '../store/settings'
import type { Clock } from '../core/clock'
import { defineModule } from '../core/module'
import { pageSizes } from '#shared/page-sizes'
import { readAll } from '../core/read-all-pages'
import { lookUp, sentOnce } from '../core/sent-once'
import { beyond, shownFields } from '../core/extra-fields'
import { publicAddresses } from './own-addresses'

export interface FirewallDeps {
  readonly accounts: Pick<Accounts, 'service'>
  readonly documents: Sections
  readonly clock: Pick<Clock, 'after'>
  interfaces(): ReturnType<typeof networkInterfaces>
}

const FirewallSettings = z.object({
  /** The address that the person said is this computer's. */
  ownAddress: z.string().nullable().default(null),
})

const described = [
  ...['id', 'direction', 'protocol', 'ethertype', 'remote_ip_prefix', 'port_range_min', 'port_range_max'],
  ...['description', 'created_at'],
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
  more: shownFields(beyond(rule, described)),
})

const isSameRule = (one: FirewallRule, wanted: NewFirewallRule): boolean =>
  one.direction === wanted.direction &&
  one.protocol === wanted.protocol &&
  one.ethertype === wanted.ethertype &&
  one.remote_ip_prefix === wanted.remote_ip_prefix &&
  one.port_range_min === wanted.port_range_min &&
  one.port_range_max === wanted.port_range_max

/** The firewalls of machines: nothing of them is kept here but the address that the person calls their own. */
export function createFirewall({ accounts, documents, clock, interfaces }: FirewallDeps) {
  const section = documents.section('firewall', FirewallSettings)

  const handlers: HandlersOf<typeof firewallCalls> = {
    'firewall.list': async ({ account, machine, ...page }) => {
      const { items, total } = await accounts.service(account).firewallRules.list(machine, page)
      return { rules: items.map(firewallRuleView), total: total ?? null }
    },
    'firewall.add': ({ account, machine, rule }) =>
      sentOnce('firewall.add', () => accounts.service(account).firewallRules.add(machine, rule)),
    'firewall.lookUp': ({ account, machine, rule }) => {
      const { firewallRules } = accounts.service(account)
      return lookUp(clock, async () => {
        const { items, complete } = await readAll(
          (page) => firewallRules.list(machine, page),
          pageSizes.resources,
        )
        if (items.some((one) => isSameRule(one, rule))) return 'done'
        return complete ? 'not-done' : 'unknown'
      })
    },
    'firewall.ownAddresses': async () => {
      await section.ready()
      const { ownAddress } = section.read()
      return [...new Set([...(ownAddress === null ? [] : [ownAddress]), ...publicAddresses(interfaces())])]
    },
    'firewall.rememberAddress': async ({ address }) => {
      await section.change((value) => ({ ...value, ownAddress: address }))
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
