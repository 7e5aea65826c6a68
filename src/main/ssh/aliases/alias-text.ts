import { hostKeyAlias } from '../client/host-key'
import { sshConfigUser } from '../client/plain-values'
import { connectionOptions } from '../launcher/ssh-arguments'
import type { Alias } from './alias-names'

/** How a file of ours begins; another of that name is left alone. */
export const aliasFileHeader = '# Written by Wheelhouse, which overwrites changes. Switch it off in Settings.'

/**
 * Seconds. Tools that reach a machine by its alias are unattended: a lost connection ends after three of these.
 */
const serverAliveInterval = 30

/** What is written alike for every alias. */
export interface AliasContext {
  /** Absolute path of the application's file of host keys. */
  readonly knownHosts: string
  readonly platform: NodeJS.Platform
  /** Whether the computer's ssh knows the option KnownHostsCommand; one that does not would refuse the whole file. */
  readonly knowsNoCommand: boolean
  /** The person confirms the first host key of a machine. */
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
    ['ServerAliveInterval', String(serverAliveInterval)],
  ]
  return [`Host ${alias}`, ...options.map(([option, value]) => `  ${option} ${value}`)].join('\n')
}

/**
 * The file that ssh includes: an alias for each machine with the options of a terminal, so that host keys are checked as
 * strictly. Pure; every value has been checked (alias-names.ts).
 */
export const aliasText = (aliases: readonly Alias[], context: AliasContext): string =>
  [aliasFileHeader, ...aliases.map((alias) => block(alias, context))].join('\n\n') + '\n'
