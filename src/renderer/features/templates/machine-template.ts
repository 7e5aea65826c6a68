import type { EndRule } from '#shared/bridge/end-rule'
import type { FirewallRuleView } from '#shared/bridge/firewall'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshDefaults } from '#shared/bridge/ssh'
import type { Template, TemplateEnd } from '#shared/bridge/template'
import type { VolumeView } from '#shared/bridge/volume'
import { NewFirewallRule } from '#shared/service/firewall-rule'
import { volumeName } from '../volumes/volume-text'

/** State of a machine that a template copies. `rules`: null if they could not be read. */
export interface MachineFacts {
  readonly machine: MachineView
  readonly volumes: readonly VolumeView[]
  readonly rules: readonly FirewallRuleView[] | null
  readonly ssh: SshDefaults
  readonly end: EndRule | undefined
  /** Null: unknown. */
  readonly initScript: string | null
}

const newRule = (rule: FirewallRuleView) =>
  NewFirewallRule.safeParse({
    direction: rule.direction.toLowerCase(),
    protocol: rule.protocol.toLowerCase(),
    ethertype: rule.ethertype,
    remote_ip_prefix: rule.prefix,
    port_range_min: rule.portMin,
    port_range_max: rule.portMax,
    ...(rule.description !== null && { description: rule.description }),
  })

/** Returns the end of a rule; null for a rule that waits for a job of its machine. Pure. */
function endOf({ action, when, armedAt }: EndRule): TemplateEnd | null {
  switch (when.kind) {
    case 'at':
      return { action, when: { kind: 'after', seconds: Math.max(60, Math.floor(when.at - armedAt)) } }
    case 'idle':
    case 'budget':
      return { action, when }
    case 'job':
      return null
  }
}

/** Returns the template of a machine, and the number of rules that can't be added to another one. Pure. */
export function templateOf({ machine, volumes, rules, ssh, end, initScript }: MachineFacts): {
  readonly template: Template
  readonly rulesLeftOut: number
} {
  const read = (rules ?? []).map(newRule)
  const firewall = read.flatMap(({ data }) => data ?? [])
  const bootable = volumes.find((volume) => volume.bootable === true)
  return {
    rulesLeftOut: read.length - firewall.length,
    template: {
      id: crypto.randomUUID(),
      name: machine.name,
      machineName: machine.name,
      flavor: machine.flavor.name,
      region: machine.region,
      image: machine.image,
      // Without an image, it has booted from a volume.
      volume: machine.image === null ? (bootable?.name ?? null) : null,
      key: machine.keyName,
      initScript: initScript ?? '',
      // A bootable volume boots a machine of its own.
      volumes: volumes
        .filter(({ bootable }) => bootable !== true)
        .map((volume) => ({ id: volume.id, name: volumeName(volume) })),
      firewall,
      ssh: {
        user: ssh.user,
        port: ssh.port,
        jumpHost: ssh.jumpHost ?? null,
        forwardAgent: ssh.forwardAgent ?? null,
        options: ssh.options ?? null,
      },
      commands: '',
      end: end ? endOf(end) : null,
    },
  }
}
