import type { FirewallRuleView } from '#shared/bridge/firewall'

/** A firewall rule that opens SSH to every address. */
export const ruleFixture = (changes: Partial<FirewallRuleView> = {}): FirewallRuleView => ({
  id: 'r',
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  prefix: '0.0.0.0/0',
  portMin: 22,
  portMax: 22,
  description: null,
  createdAt: null,
  more: [],
  ...changes,
})
