import { z } from 'zod'
import { addFirewallRule } from '../../cloud/firewall-rules'
import { requireMachine } from '../../cloud/machines'
import type { FirewallRuleRecord } from '../../cloud/records'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { PageParameters } from '../list-parameters'
import { AddedFirewallRule, FirewallRule, NewFirewallRule } from '../schemas/firewall-rules'
import { selectPage, type ListFields } from '../select-page'

const tag = 'Firewall rules'

const fields: ListFields = {
  id: 'string',
  direction: 'string',
  protocol: 'string',
  ethertype: 'string',
  remote_ip_prefix: 'string',
  port_range_min: 'number',
  port_range_max: 'number',
  description: 'string',
  created_at: 'number',
}

const view = (rule: FirewallRuleRecord) => ({
  id: rule.id,
  direction: rule.direction,
  protocol: rule.protocol,
  ethertype: rule.ethertype,
  remote_ip_prefix: rule.prefix,
  port_range_min: rule.portMin,
  port_range_max: rule.portMax,
  description: rule.description,
  created_at: rule.createdTime,
})

export const firewallRuleEndpoints = (cloud: Cloud): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/virtual-machines/{id}/firewall-rules',
      tag,
      summary: 'Add a firewall rule',
      description: 'There is no way to remove one.',
      query: noQuery,
      body: NewFirewallRule,
      data: AddedFirewallRule,
    },
    ({ param, body }) => {
      const rule = addFirewallRule(cloud, requireMachine(cloud, param('id'), 'id'), body)
      return { message: 'Firewall rule added', data: { ...body, description: rule.description, id: rule.id } }
    },
  ),
  endpoint(
    {
      method: 'GET',
      path: '/virtual-machines/{id}/firewall-rules',
      tag,
      summary: 'List firewall rules',
      query: PageParameters,
      body: noBody,
      data: z.array(FirewallRule),
      paginated: true,
    },
    ({ param, query }) => {
      const { firewallRules } = requireMachine(cloud, param('id'), 'id')
      return { message: 'Firewall rules', ...selectPage({ items: firewallRules, view, fields }, query) }
    },
  ),
]
