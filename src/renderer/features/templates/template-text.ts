import type { Template, TemplateContent, TemplateEnd } from '#shared/bridge/template'
import { durationText } from '#shared/messages/duration-text'
import { formatMoney } from '#shared/money/format-money'
import type { NewFirewallRule } from '#shared/service/firewall-rule'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'
import { directionText, trafficText } from '../firewall/rule-text'

/** Returns the hardware, place and system of a template, such as "gpu.2 · Oslo · Ubuntu 24.04". */
export const orderText = ({ flavor, region, image, volume }: TemplateContent): string =>
  [flavor, region, image ?? volume].flatMap((text) => (text ? foreignText(text, 120) : [])).join(' · ')

export function sshText({ user, port, jumpHost, forwardAgent, options }: TemplateContent['ssh']): string {
  const texts = [
    user === null ? null : t('templates.ssh.user', { user }),
    port === null ? null : t('templates.ssh.port', { port: String(port) }),
    jumpHost === null ? null : t('templates.ssh.jumpHost', { host: jumpHost }),
    forwardAgent === null ? null : t(`templates.ssh.${forwardAgent ? 'agent' : 'noAgent'}`),
    options,
  ]
  return texts.flatMap((text) => (text ? foreignText(text, 200) : [])).join(t('common.listSeparator'))
}

export const hasSsh = ({ ssh }: Pick<TemplateContent, 'ssh'>): boolean =>
  Object.values(ssh).some((value) => value !== null)

export const ruleText = (rule: NewFirewallRule): string =>
  t('templates.rule', {
    direction: directionText(rule),
    traffic: trafficText({
      protocol: rule.protocol,
      portMin: rule.port_range_min,
      portMax: rule.port_range_max,
    }),
    prefix: foreignText(rule.remote_ip_prefix, 80),
  })

/** Returns the condition of an end, such as "Deleted 8 h after its creation". */
export function endText({ action, when }: TemplateEnd): string {
  switch (when.kind) {
    case 'after':
      return t(`templates.end.after.${action}`, { duration: durationText(when.seconds, tPath) })
    case 'idle':
      return t(`templates.end.idle.${action}`, { duration: durationText(when.seconds, tPath) })
    case 'budget':
      return t(`templates.end.budget.${action}`, { amount: formatMoney(when.budget) })
  }
}

/** Returns the parts of a template besides its order, such as "Init script · 2 volumes". */
export function partsText(template: Template): string {
  const { initScript, volumes, firewall, commands, end } = template
  const parts = [
    initScript.trim() === '' ? null : t('templates.parts.script'),
    volumes.length === 0 ? null : t('templates.parts.volumes', { count: volumes.length }, volumes.length),
    firewall.length === 0 ? null : t('templates.parts.firewall', { count: firewall.length }, firewall.length),
    hasSsh(template) ? t('templates.parts.ssh') : null,
    commands.trim() === '' ? null : t('templates.parts.commands'),
    end && endText(end),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}
