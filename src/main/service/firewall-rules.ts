import { FirewallRule, type NewFirewallRule } from '#shared/service/firewall-rule'
import type { PageQuery } from '#shared/service/page'
import type { ServiceHttp } from './http'
import { seg } from './path-segment'

/** Firewall of a virtual machine (api-spec.md §4). Rules cannot be removed. */
export const firewallRules = (http: ServiceHttp) => ({
  list: (machineId: string, page: PageQuery, signal?: AbortSignal) =>
    http.page(`/virtual-machines/${seg(machineId)}/firewall-rules`, page, FirewallRule, signal),
  add: (machineId: string, rule: NewFirewallRule) =>
    http.send('POST', `/virtual-machines/${seg(machineId)}/firewall-rules`, rule, FirewallRule),
})
