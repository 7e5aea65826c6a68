import { hostKeyAlias } from '../client/host-key'
import { sshConfigUser } from '../client/plain-values'
import { connectionOptions } from '../launcher/ssh-arguments'
import type { Alias } from './alias-names'

/** First line of the application's own file; another file of that name stays unchanged. */
export const aliasFileHeader = '# Written by Wheelhouse, which overwrites changes. Switch it off in Settings.'

/** Tools that use an alias run unattended: their connection ends after three unanswered intervals. */
const serverAliveIntervalSeconds = 30

/** Settings that are the same for every alias. */
export interface AliasContext {
  /** Absolute path of the application's file of host keys. */
  readonly knownHosts: string
  readonly platform: NodeJS.Platform
  /** Whether the computer's ssh knows the option KnownHostsCommand: an older one would refuse the whole file. */
  readonly knowsNoCommand: boolean
  /** Whether the user confirms the first host key of a machine. */
  readonly confirms: boolean
}

function block({ alias, account, machine, destination }: Alias, context: AliasContext): string {
  const { knownHosts, platform, knowsNoCommand, confirms } = context
  const { host, user, port } = destination
  const name = hostKeyAlias(account, machine)
  const options: readonly (readonly [name: string, value: string])[] = [
    ['HostName', host],
    ['User', sshConfigUser(user)],
    ['Port', String(port)],
    ...connectionOptions(destination, knownHosts, name, platform, knowsNoCommand, confirms),
    ['ServerAliveInterval', String(serverAliveIntervalSeconds)],
  ]
  return [`Host ${alias}`, ...options.map(([option, value]) => `  ${option} ${value}`)].join('\n')
}

/**
 * Writes the file that ssh includes: an alias for each machine with the options of a terminal, so that host keys are
 * checked as strictly. Every value was checked before (alias-names.ts).
 */
export const aliasText = (aliases: readonly Alias[], context: AliasContext): string =>
  [aliasFileHeader, ...aliases.map((alias) => block(alias, context))].join('\n\n') + '\n'
