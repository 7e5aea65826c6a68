import { firewall as words } from '#shared/messages/en/firewall'
import type { FirewallRuleView } from '#shared/bridge/firewall'
import { limits } from '#shared/service/limits'
import { t, tPath } from '../../../../platform/i18n'

const known = (group: 'protocol' | 'direction', value: string): string =>
  Object.hasOwn(words[group], value.toLowerCase()) ? tPath(`firewall.${group}.${value.toLowerCase()}`) : value

export const directionText = ({ direction }: FirewallRuleView): string => known('direction', direction)

/** `22`, `8000–8100`; null where the rule is for all of them or says nothing of them. */
function portText({ portMin, portMax, protocol }: FirewallRuleView): string | null {
  if (protocol === 'icmp' || portMin === null || portMax === null) return null
  if (portMin === limits.port.min && portMax === limits.port.max) return t('firewall.allPorts')
  return portMin === portMax ? String(portMin) : `${portMin}–${portMax}`
}

/** `TCP 22`, `Any protocol, all ports`. */
export function trafficText(rule: FirewallRuleView): string {
  const protocol = known('protocol', rule.protocol)
  const ports = portText(rule)
  if (ports === null) return protocol
  return /^\d/.test(ports) ? `${protocol} ${ports}` : `${protocol}, ${ports}`
}

/** A range that is every address there is. */
export const isWorld = (prefix: string | null): boolean =>
  prefix !== null && /^(0\.0\.0\.0|::)\/0$/.test(prefix)

/** The fields of a rule that say whom it lets in; one that is being typed has them too. */
export interface Admission {
  readonly direction: string
  readonly protocol: string
  readonly prefix: string | null
  readonly portMin: number | null
  readonly portMax: number | null
}

/** Whether the rule lets the whole world try to sign in by SSH. */
export const opensSsh = ({ direction, protocol, prefix, portMin, portMax }: Admission): boolean =>
  direction === 'inbound' &&
  (protocol === 'tcp' || protocol === 'any') &&
  isWorld(prefix) &&
  (portMin ?? limits.port.min) <= 22 &&
  (portMax ?? limits.port.max) >= 22

/** A rule that lets everybody in over SSH, in words; null where there is none. Whatever other rules say, it holds. */
export function openSshText(rules: readonly FirewallRuleView[]): string | null {
  const open = rules.find(opensSsh)
  return open ? t('firewall.stillOpen', { rule: trafficText(open), prefix: open.prefix ?? '' }) : null
}

/** Whether the rule lets in over SSH from some addresses only. */
export const narrowsSsh = (rule: Admission): boolean =>
  !opensSsh(rule) && opensSsh({ ...rule, prefix: '0.0.0.0/0' })
