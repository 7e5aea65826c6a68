import { z } from 'zod'
import { NewFirewallRule } from '#shared/service/firewall-rule'
import { limits } from '#shared/service/limits'
import { t } from '../../../../platform/i18n'

export interface RuleDraft {
  readonly direction: 'inbound' | 'outbound'
  readonly protocol: 'tcp' | 'udp' | 'icmp'
  readonly ethertype: 'IPv4' | 'IPv6'
  readonly prefix: string
  readonly portMin: string
  readonly portMax: string
  readonly description: string
}

export const emptyRule: RuleDraft = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  prefix: '',
  portMin: '',
  portMax: '',
  description: '',
}

const port = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : undefined

export type RuleField = 'remote_ip_prefix' | 'port_range_min' | 'port_range_max'

const isRange = ({ ethertype, prefix }: RuleDraft): boolean =>
  (ethertype === 'IPv4' ? z.cidrv4() : z.cidrv6()).safeParse(prefix.trim()).success

/** Returns the request's body and the errors by field, according to the bridge's schema. */
export function ruleOf(draft: RuleDraft): {
  readonly rule: NewFirewallRule | null
  readonly wrong: ReadonlyMap<string, string>
} {
  const parsed = NewFirewallRule.safeParse({
    direction: draft.direction,
    protocol: draft.protocol,
    ethertype: draft.ethertype,
    remote_ip_prefix: draft.prefix.trim(),
    port_range_min: port(draft.portMin),
    port_range_max: port(draft.portMax),
    description: draft.description.trim() || undefined,
  })
  if (parsed.success) return { rule: parsed.data, wrong: new Map() }
  const wrong = new Map<string, string>()
  for (const { path, code } of parsed.error.issues) {
    const field = String(path[0])
    if (!wrong.has(field)) wrong.set(field, errorText(field, code, draft))
  }
  // A schema skips checks across fields while a field is invalid; this shows all errors at once.
  if (!wrong.has('remote_ip_prefix') && draft.prefix.trim() !== '' && !isRange(draft))
    wrong.set('remote_ip_prefix', t(`firewall.wrong.prefix.${draft.ethertype}`))
  return { rule: null, wrong }
}

function errorText(field: string, code: string, draft: RuleDraft): string {
  if (field === 'remote_ip_prefix')
    return draft.prefix.trim() === ''
      ? t('firewall.wrong.required')
      : t(`firewall.wrong.prefix.${draft.ethertype}`)
  return field === 'port_range_max' && code === 'custom'
    ? t('firewall.wrong.order')
    : t('firewall.wrong.port')
}

export const presets = ['ssh', 'http', 'https', 'jupyter', 'icmp', 'range'] as const
export type Preset = (typeof presets)[number]

const ownRange = (address: string): Pick<RuleDraft, 'ethertype' | 'prefix'> =>
  address.includes(':')
    ? { ethertype: 'IPv6', prefix: `${address}/128` }
    : { ethertype: 'IPv4', prefix: address === '' ? '' : `${address}/32` }

const anyone: Pick<RuleDraft, 'ethertype' | 'prefix'> = { ethertype: 'IPv4', prefix: '0.0.0.0/0' }
const onPort = (number: number) => ({ portMin: String(number), portMax: String(number) })
const tcp = { ...emptyRule, protocol: 'tcp' } as const

/** Returns the rule of a preset. `address`: public address of this computer, or empty. */
export function presetRule(preset: Preset, address: string): RuleDraft {
  switch (preset) {
    case 'ssh':
      return { ...tcp, ...ownRange(address), ...onPort(22), description: 'SSH' }
    case 'http':
      return { ...tcp, ...anyone, ...onPort(80), description: 'HTTP' }
    case 'https':
      return { ...tcp, ...anyone, ...onPort(443), description: 'HTTPS' }
    case 'jupyter':
      return { ...tcp, ...ownRange(address), ...onPort(8888), description: 'Jupyter' }
    case 'icmp':
      return {
        ...emptyRule,
        ...anyone,
        protocol: 'icmp',
        portMin: String(limits.port.min),
        portMax: String(limits.port.max),
        description: 'Ping',
      }
    case 'range':
      return { ...tcp, ...ownRange(address) }
  }
}
