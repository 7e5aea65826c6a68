import { readOptions } from '../client/plain-options'
import { readJumpHost, sshConfigQuoted } from '../client/plain-values'
import { posixQuoted, windowsQuoted } from './quoting'

/** Where ssh goes. Every value has been checked (plain-values.ts, identities.ts). */
export interface Destination {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Absolute path; null: ssh's own choice of keys. */
  readonly identityFile: string | null
  /** As in SshDefaults. */
  readonly jumpHost?: string | null | undefined
  readonly forwardAgent?: boolean | null | undefined
  readonly options?: string | null | undefined
}

export const defaultPort = 22

/** ssh on Windows takes `/` as well, and it needs no escaping in any of the places that a path passes through. */
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

/** A jump host with its user and port, as ssh and our own connections reach it alike. */
const jumpText = ({ user, jumpHost }: Destination): string | null => {
  const jump = jumpHost ? readJumpHost(jumpHost) : null
  return jump && `${jump.user ?? user}@${jump.host}:${String(jump.port)}`
}

/** The way to the machine, and what it may use of this computer, as options of ssh_config(5). */
const routeOptions = (to: Destination): Options => {
  const jump = jumpText(to)
  return [
    ...(jump === null ? [] : [['ProxyJump', jump] as const]),
    // The person's configuration may forward it to every host.
    ['ForwardAgent', to.forwardAgent ? 'yes' : 'no'],
    ...optionsOf(to),
  ]
}

const asArguments = (options: Options): readonly string[] =>
  options.flatMap(([name, value]) => ['-o', `${name}=${value}`])

// -i is the form that a person knows, but ssh first looks for the file under the name as given and later expands
// the tokens in it: a name with `%` is found by the option alone.
const identityArguments = (identityFile: string | null, platform: NodeJS.Platform): readonly string[] => {
  const [file, only] = identityOptions(identityFile, platform)
  if (identityFile === null || !file || !only) return []
  const path = sshPath(identityFile, platform)
  return [...(path.includes('%') ? asArguments([file]) : ['-i', path]), ...asArguments([only])]
}

/**
 * How the machine's host key is checked: `knownHosts` is the application's own file, `alias` the machine's name in it;
 * `confirms`: ssh asks before the first.
 */
const hostKeyOptions = (
  knownHosts: string,
  alias: string,
  platform: NodeJS.Platform,
  confirms = false,
): Options => [
  ['UserKnownHostsFile', sshConfigQuoted(sshPath(knownHosts, platform))],
  // The application's file is the only truth; "none" is not a value of this option, and ssh on Windows knows /dev/null.
  ['GlobalKnownHostsFile', '/dev/null'],
  ['HostKeyAlias', alias],
  ['StrictHostKeyChecking', confirms ? 'ask' : 'accept-new'],
  // Entries by address would tie a key to an address that the service may give to another machine.
  ['CheckHostIP', 'no'],
  ['HashKnownHosts', 'no'],
  // Keys enter the file at first contact and in no other way.
  ['UpdateHostKeys', 'no'],
  // A fingerprint in the DNS would pass before the file is looked at.
  ['VerifyHostKeyDNS', 'no'],
  // A shared connection would be used without looking at the host key and the identity.
  ['ControlPath', 'none'],
]

/** Only for an ssh that knows it: keys that a command of the person's configuration answers would pass beside the file. */
const noCommand: Options[number] = ['KnownHostsCommand', 'none']
export const noKnownHostsCommand = asArguments([noCommand])

/** What a terminal starts ssh with, user, host and port aside, as options of ssh_config(5); `knowsNoCommand`: see `noCommand`. */
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
 * The arguments that a terminal starts ssh with. `knownHosts` is the application's own known-hosts file (on Windows
 * relative to the working directory) and `alias` the name of the machine in it.
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
 * Before a command of ours: ssh ends with 255 if it is given one, and the user's configuration has another (OpenSSH 9.2,
 * ssh.c: "Cannot execute command-line and remote command").
 */
export const noRemoteCommand = ['-o', 'RemoteCommand=none'] as const

/** Before the others: ssh itself asks about the key of a first contact that could not be asked about before. */
export const asksHostKey = ['-o', 'StrictHostKeyChecking=ask'] as const

/**
 * What a terminal that connects again by itself has before the others: it notices a lost line within 20 seconds. In one
 * that does not, ssh would end what only waits for the network to come back.
 */
export const noticesLostLine = ['-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3'] as const

/** What a person would type to reach the same place, to be pasted into a shell of this system. */
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
