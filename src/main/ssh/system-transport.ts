import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { agentKeys, agentSocket } from './client/agent-keys'
import type { SystemTransport } from './client/connection'
import type { KnownHosts } from './client/known-hosts'
import type { KeyOffer } from './client/offered-keys'
import type { SystemSsh } from './client/system-ssh'
import { type LauncherDeps, sshCommand } from './launcher/connect'
import type { Destination } from './launcher/ssh-arguments'

/** Milliseconds in which ssh says how it would connect. */
const saysWithin = 3_000

/** What `ssh -G` says: names in lower case, each with its values. */
type Config = ReadonlyMap<string, readonly string[]>

/** How ssh would connect by the person's configuration; null where it does not say. */
const configOf = ({ file, args, env, folder }: Omit<SystemSsh, 'listen'>): Promise<Config | null> =>
  new Promise((resolve) => {
    const settings = { env, cwd: folder, timeout: saysWithin, windowsHide: true }
    execFile(file, ['-G', ...args], settings, (error, stdout) => {
      if (error) return resolve(null)
      const config = new Map<string, readonly string[]>()
      for (const line of stdout.split(/\r?\n/)) {
        const [, name, value] = /^(\S+) (.*)$/.exec(line) ?? []
        if (name !== undefined && value !== undefined) config.set(name, [...(config.get(name) ?? []), value])
      }
      resolve(config)
    })
  })

/** ssh's own choice where no file is named (ssh_config(5), IdentityFile). */
const usualIdentity = /[/\\]\.ssh[/\\]id_(?:rsa|dsa|xmss|(?:ecdsa|ed25519)(?:_sk)?)$/

/** Options of the person's configuration that ssh2 knows nothing of. */
const foreign = [
  'proxycommand',
  'certificatefile',
  'pkcs11provider',
  'identityagent',
  'bindaddress',
  'bindinterface',
]

/** Whether the configuration reaches the machine in a way that only ssh itself can take. Pure. */
export function needsSystem(config: Config, { host, identityFile, jumpHost, options }: Destination): boolean {
  const isSet = (name: string): boolean => config.get(name)?.some((value) => value !== 'none') ?? false
  return (
    Boolean(options) ||
    foreign.some(isSet) ||
    (!jumpHost && isSet('proxyjump')) ||
    (config.get('hostname') ?? []).some((name) => name !== host.toLowerCase()) ||
    (identityFile === null && (config.get('identityfile') ?? []).some((path) => !usualIdentity.test(path)))
  )
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

interface SystemTransportDeps extends Omit<LauncherDeps, 'watchFor'> {
  readonly knownHosts: KnownHosts
}

/** How the system's ssh reaches a machine, and whether it has to; null where there is no ssh. */
export function createSystemTransport(deps: SystemTransportDeps) {
  const { home, platform, env } = deps

  /** A certificate stands beside its key, and is offered by itself. */
  const hasCertificate = async (identities: readonly string[]): Promise<boolean> => {
    const paths = identities.map((path) => `${path.replace(/^~(?=[/\\])/, home || homedir())}-cert.pub`)
    return (await Promise.all(paths.map(exists))).includes(true)
  }
  /** An agent holds keys that ssh2 leaves out. */
  const agentHoldsOthers = async (): Promise<boolean> => {
    const socket = agentSocket({ home, platform, env })
    const held = socket === undefined ? null : await agentKeys(socket)
    return held?.some(({ type }) => type.startsWith('sk-') || type.includes('-cert-')) ?? false
  }

  return async (
    destination: Destination,
    alias: string,
    offer: KeyOffer,
    listen: SystemSsh['listen'],
  ): Promise<SystemTransport | null> => {
    // What stands in the way of ssh is said where a terminal is opened.
    const program = await sshCommand(destination, alias, deps.knownHosts, deps).catch(() => null)
    if (program === null) return null
    const { ssh: file, ...rest } = program
    const ssh = { ...{ file, alias, shares: platform !== 'win32', listen }, ...rest }
    if (offer.kind !== 'keys') return { ssh, isNeeded: true }
    const config = await configOf(ssh)
    if (config === null) return { ssh, isNeeded: false }
    const isNeeded =
      needsSystem(config, destination) ||
      (await hasCertificate(config.get('identityfile') ?? [])) ||
      (destination.identityFile === null && (await agentHoldsOthers()))
    return { ssh, isNeeded }
  }
}
