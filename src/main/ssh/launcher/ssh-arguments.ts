import { readOptions } from '../client/plain-options'
import { readJumpHost, sshConfigQuoted } from '../client/plain-values'
import { posixQuoted, windowsQuoted } from './quoting'

/** Destination of ssh. Every value has been checked (plain-values.ts, identities.ts). */
export interface Destination {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Absolute path; null: ssh chooses the keys. */
  readonly identityFile: string | null
  readonly jumpHost?: string | null | undefined
  readonly forwardAgent?: boolean | null | undefined
  readonly options?: string | null | undefined
}

export const defaultPort = 22

/** ssh on Windows accepts `/` too, which needs no escape anywhere. */
const sshPath = (path: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? path.replaceAll('\\', '/') : path

type Options = readonly (readonly [name: string, value: string])[]

/** The identity as options of ssh_config(5). */
const identityOptions = (identityFile: string | null, platform: NodeJS.Platform): Options =>
  identityFile === null
    ? []
    : [
        ['IdentityFile', sshConfigQuoted(sshPath(identityFile, platform))],
        ['IdentitiesOnly', 'yes'],
      ]

const optionsOf = ({ options }: Destination): Options => (options ? (readOptions(options) ?? []) : [])

/** Jump host as `user@host:port`, so that ssh and the application's own connections use the same. */
const jumpText = ({ user, jumpHost }: Destination): string | null => {
  const jump = jumpHost ? readJumpHost(jumpHost) : null
  return jump && `${jump.user ?? user}@${jump.host}:${String(jump.port)}`
}

/** Jump host, agent forwarding and the user's own options, as options of ssh_config(5). */
const routeOptions = (to: Destination): Options => {
  const jump = jumpText(to)
  return [
    ...(jump === null ? [] : [['ProxyJump', jump] as const]),
    // Overrides the user's configuration, which may forward the agent to every host.
    ['ForwardAgent', to.forwardAgent ? 'yes' : 'no'],
    ...optionsOf(to),
  ]
}

const asArguments = (options: Options): readonly string[] =>
  options.flatMap(([name, value]) => ['-o', `${name}=${value}`])

// `-i` is the familiar form. ssh first looks for the file under its unexpanded name, so a name with `%` needs the option.
const identityArguments = (identityFile: string | null, platform: NodeJS.Platform): readonly string[] => {
  const [file, only] = identityOptions(identityFile, platform)
  if (identityFile === null || !file || !only) return []
  const path = sshPath(identityFile, platform)
  return [...(path.includes('%') ? asArguments([file]) : ['-i', path]), ...asArguments([only])]
}

/**
 * Options that check the host key. `knownHosts`: the application's own file. `alias`: the machine's name in it. `confirms`:
 * ssh asks about the first key.
 */
const hostKeyOptions = (
  knownHosts: string,
  alias: string,
  platform: NodeJS.Platform,
  confirms = false,
): Options => [
  ['UserKnownHostsFile', sshConfigQuoted(sshPath(knownHosts, platform))],
  // Only the application's file counts. This option has no value "none", and ssh on Windows knows /dev/null.
  ['GlobalKnownHostsFile', '/dev/null'],
  ['HostKeyAlias', alias],
  ['StrictHostKeyChecking', confirms ? 'ask' : 'accept-new'],
  // The service may assign an address to another machine, so keys are not recorded by address.
  ['CheckHostIP', 'no'],
  ['HashKnownHosts', 'no'],
  // Keys are recorded only at first contact.
  ['UpdateHostKeys', 'no'],
  // A fingerprint in the DNS would be accepted without the file.
  ['VerifyHostKeyDNS', 'no'],
  // A shared connection would skip the checks of host key and identity.
  ['ControlPath', 'none'],
]

/** For an ssh that knows the option: keys from a command of the user's configuration would bypass the file. */
const noCommand: Options[number] = ['KnownHostsCommand', 'none']
export const noKnownHostsCommand = asArguments([noCommand])

/** Options of a terminal's ssh without user, host and port (ssh_config(5)). `knowsNoCommand`: see `noCommand`. */
export const connectionOptions = (
  to: Destination,
  knownHosts: string,
  alias: string,
  platform: NodeJS.Platform,
  knowsNoCommand: boolean,
  confirms: boolean,
): Options => [
  ...hostKeyOptions(knownHosts, alias, platform, confirms),
  ...(knowsNoCommand ? [noCommand] : []),
  ...identityOptions(to.identityFile, platform),
  ...routeOptions(to),
]

/**
 * Returns the arguments of a terminal's ssh. `knownHosts`: the application's own known-hosts file, on Windows relative to
 * the working directory. `alias`: the machine's name in it.
 */
export const sshArguments = (
  to: Destination,
  knownHosts: string,
  alias: string,
  platform: NodeJS.Platform,
): readonly string[] => [
  ...asArguments(hostKeyOptions(knownHosts, alias, platform)),
  ...identityArguments(to.identityFile, platform),
  ...asArguments(routeOptions(to)),
  '-p',
  String(to.port),
  '-l',
  to.user,
  '--',
  to.host,
]

/**
 * Option for an ssh with a command: otherwise ssh ends with 255 if the user's configuration has a RemoteCommand (OpenSSH
 * 9.2, ssh.c: "Cannot execute command-line and remote command").
 */
export const noRemoteCommand = ['-o', 'RemoteCommand=none'] as const

/** First option: ssh itself asks about a first host key that the application could not ask about. */
export const asksHostKey = ['-o', 'StrictHostKeyChecking=ask'] as const

/**
 * First options of a terminal that reconnects: it notices a lost connection within 20 seconds. In other terminals ssh would
 * end sessions that only wait for the network.
 */
export const noticesLostLine = ['-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3'] as const

/** Returns a command with the same destination for a shell of this system. */
export const typedCommand = (to: Destination, platform: NodeJS.Platform): string =>
  [
    'ssh',
    ...(to.port === defaultPort ? [] : ['-p', String(to.port)]),
    ...identityArguments(to.identityFile, platform),
    ...(jumpText(to) === null ? [] : ['-J', jumpText(to) ?? '']),
    ...(to.forwardAgent ? ['-A'] : []),
    ...asArguments(optionsOf(to)),
    `${to.user}@${to.host}`,
  ]
    .map(platform === 'win32' ? windowsQuoted : posixQuoted)
    .join(' ')
