import { firewall as messages } from '#shared/messages/en/firewall'
import type { FirewallRuleView } from '#shared/bridge/firewall'
import { limits } from '#shared/service/limits'
import { t, tPath } from '../../platform/i18n'

const valueText = (group: 'protocol' | 'direction', value: string): string =>
  Object.hasOwn(messages[group], value.toLowerCase())
    ? tPath(`firewall.${group}.${value.toLowerCase()}`)
    : value

export const directionText = ({ direction }: Pick<FirewallRuleView, 'direction'>): string =>
  valueText('direction', direction)

type Traffic = Pick<FirewallRuleView, 'protocol' | 'portMin' | 'portMax'>

/** Returns ports as text, such as `22` or `8000–8100`; null if the rule names none. */
function portText({ portMin, portMax, protocol }: Traffic): string | null {
  if (protocol === 'icmp' || portMin === null || portMax === null) return null
  if (portMin === limits.port.min && portMax === limits.port.max) return t('firewall.allPorts')
  return portMin === portMax ? String(portMin) : `${portMin}–${portMax}`
}

/** Returns protocol and ports as text, such as `TCP 22` or `Any protocol, all ports`. */
export function trafficText(rule: Traffic): string {
  const protocol = valueText('protocol', rule.protocol)
  const ports = portText(rule)
  if (ports === null) return protocol
  return /^\d/.test(ports) ? `${protocol} ${ports}` : [protocol, ports].join(t('common.listSeparator'))
}

export const isWorld = (prefix: string | null): boolean =>
  prefix !== null && /^(0\.0\.0\.0|::)\/0$/.test(prefix)

/** The fields of a rule, or of a draft, that determine who may connect. */
export interface Admission {
  readonly direction: string
  readonly protocol: string
  readonly prefix: string | null
  readonly portMin: number | null
  readonly portMax: number | null
}

export const opensSsh = ({ direction, protocol, prefix, portMin, portMax }: Admission): boolean =>
  direction === 'inbound' &&
  (protocol === 'tcp' || protocol === 'any') &&
  isWorld(prefix) &&
  (portMin ?? limits.port.min) <= 22 &&
  (portMax ?? limits.port.max) >= 22

/** Returns the warning about a rule that opens SSH to all addresses, or null. No other rule can restrict it. */
export function openSshText(rules: readonly FirewallRuleView[]): string | null {
  const open = rules.find(opensSsh)
  return open ? t('firewall.stillOpen', { rule: trafficText(open), prefix: open.prefix ?? '' }) : null
}

export const narrowsSsh = (rule: Admission): boolean =>
  !opensSsh(rule) && opensSsh({ ...rule, prefix: '0.0.0.0/0' })
