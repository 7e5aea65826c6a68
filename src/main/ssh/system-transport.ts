import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { MonotonicClock } from '../core/clock'
import { createTtlCache } from '../core/ttl-cache'
import { agentKeys, agentSocket } from './client/agent-keys'
import { errorOf } from './client/channel-stream'
import type { SystemTransport } from './client/target'
import type { KnownHosts } from './client/known-hosts'
import { isUsualKey } from './client/identities'
import type { KeyOffer } from './client/offered-keys'
import { readOptions } from './client/plain-options'
import type { SystemSsh } from './client/system-process'
import { type LauncherDeps, sshCommand } from './launcher/connect'
import { terminalEnvironment } from './launcher/environment'
import type { Destination } from './launcher/ssh-arguments'

/** Limit for `ssh -G`. */
const configTimeoutMs = 3_000

/** Lifetime of a cached configuration: the first contact of a machine reads it three times. */
const configLifetimeSeconds = 5

/** Lifetime of the cached defaults of a program. */
const defaultsLifetimeSeconds = 3_600

/** Keys after which sshd hangs up by default (sshd_config(5), MaxAuthTries). */
const maxAuthTries = 6

/** Output of `ssh -G`: names in lower case, each with its values. */
type Config = ReadonlyMap<string, readonly string[]>

/** Reads how ssh would connect with the user's configuration. Rejects if ssh prints none. */
const configOf = ({
  file,
  args,
  env,
  folder,
}: Pick<SystemSsh, 'file' | 'args' | 'env' | 'folder'>): Promise<Config> =>
  new Promise((resolve, reject) => {
    const settings = { env, cwd: folder, timeout: configTimeoutMs, windowsHide: true }
    execFile(file, ['-G', ...args], settings, (error, stdout) => {
      if (error) return reject(errorOf(error))
      const config = new Map<string, readonly string[]>()
      for (const line of stdout.split(/\r?\n/)) {
        const [, name, value] = /^(\S+) (.*)$/.exec(line) ?? []
        if (name !== undefined && value !== undefined) config.set(name, [...(config.get(name) ?? []), value])
      }
      resolve(config)
    })
  })

const valuesOf = ({ options }: Destination, wanted: string): readonly string[] =>
  (readOptions(options ?? '') ?? []).flatMap(([name, value]) => (name === wanted ? value.split(' ') : []))

/** Environment settings without an ssh that could print them. */
const ownConfig = (to: Destination): Config =>
  new Map([
    ['sendenv', valuesOf(to, 'SendEnv')],
    ['setenv', valuesOf(to, 'SetEnv')],
  ])

/** Returns the variables that ssh sends of `env` (ssh_config(5), SendEnv), and the variables of SetEnv, which take precedence. */
export function sentVariables(config: Config, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = (config.get('sendenv') ?? []).map((pattern) =>
    pattern
      .replace(/[^\w*?]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.'),
  )
  const isSent = new RegExp(`^(?:${names.join('|')})$`)
  const sent = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSent.test(name) ? [[name, value] as const] : [],
  )
  const set = (config.get('setenv') ?? []).map((text) => {
    const end = text.indexOf('=')
    return [text.slice(0, end), text.slice(end + 1)] as const
  })
  return Object.fromEntries([...sent, ...set])
}

/** Options of the user's configuration that ssh2 doesn't support. */
const unsupportedNames = [
  'proxycommand',
  'certificatefile',
  'pkcs11provider',
  'identityagent',
  'bindaddress',
  'bindinterface',
]

/** Whether ssh connects to the machine's address directly. */
const isDirect = (config: Config, { host, jumpHost }: Destination): boolean =>
  !jumpHost &&
  ['proxycommand', 'proxyjump'].every((name) =>
    (config.get(name) ?? []).every((value) => value === 'none'),
  ) &&
  (config.get('hostname') ?? []).every((name) => name === host.toLowerCase())

/** Whether the configuration needs ssh itself to reach the machine. `defaults`: of ssh without a configuration. */
export function needsSystem(
  config: Config,
  { host, identityFile, jumpHost, options }: Destination,
  defaults: Config = new Map(),
): boolean {
  // Versions differ in their default files: OpenSSH 10.4 added id_mldsa44_ed25519.
  const isDefault = (path: string): boolean =>
    isUsualKey(path) || (defaults.get('identityfile') ?? []).includes(path)
  const isSet = (name: string): boolean => config.get(name)?.some((value) => value !== 'none') ?? false
  return (
    Boolean(options) ||
    unsupportedNames.some(isSet) ||
    (!jumpHost && isSet('proxyjump')) ||
    (config.get('hostname') ?? []).some((name) => name !== host.toLowerCase()) ||
    (identityFile === null && (config.get('identityfile') ?? []).some((path) => !isDefault(path)))
  )
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

interface SystemTransportDeps extends Omit<LauncherDeps, 'watchFor'> {
  readonly knownHosts: KnownHosts
  readonly monotonic: MonotonicClock['monotonic']
}

interface TransportChoice {
  /** Null: there is no ssh. */
  readonly system: SystemTransport | null
  /** Variables that ssh or ssh2 sends to the machine. */
  readonly environment: Readonly<Record<string, string>>
}

/** Returns a function that describes how the system's ssh reaches a machine, and whether it is needed. */
export function createSystemTransport(deps: SystemTransportDeps) {
  const { home, platform, env } = deps
  const configs = createTtlCache<Config>(configLifetimeSeconds, deps.monotonic)
  const defaultConfigs = createTtlCache<Config>(defaultsLifetimeSeconds, deps.monotonic)

  /** Reads the program's own defaults; empty if it doesn't print them. */
  const defaultsOf = ({ file, env, folder }: SystemSsh): Promise<Config> =>
    defaultConfigs
      .get(file, false, () => configOf({ file, args: ['-F', 'none', 'defaults'], env, folder }))
      .catch(() => new Map())

  /** Whether a key file has a certificate, which ssh offers automatically. */
  const hasCertificate = async (identities: readonly string[]): Promise<boolean> => {
    const paths = identities.map((path) => `${path.replace(/^~(?=[/\\])/, home || homedir())}-cert.pub`)
    return (await Promise.all(paths.map(exists))).includes(true)
  }
  /** Whether the agent has keys that ssh2 leaves out. */
  const agentHoldsOthers = async (): Promise<boolean> => {
    const socket = agentSocket({ home, platform, env })
    const keys = socket === undefined ? null : await agentKeys(socket)
    return keys?.some(({ type }) => type.startsWith('sk-') || type.includes('-cert-')) ?? false
  }

  return async (
    destination: Destination,
    alias: string,
    offer: KeyOffer,
    listen: SystemSsh['listen'],
    /** Returns the key that opens the machine if it is known. `isDirect`: it may be probed, as ssh connects directly. */
    identity: (isDirect: boolean) => Promise<string | null>,
  ): Promise<TransportChoice> => {
    // The user sees the failure when a terminal opens.
    const program = await sshCommand(destination, alias, deps.knownHosts, deps).catch(() => null)
    if (program === null) {
      return { system: null, environment: sentVariables(ownConfig(destination), terminalEnvironment(env)) }
    }
    const { ssh: file, ...rest } = program
    const base = { file, alias, shares: platform !== 'win32', listen, ...rest }
    const key = JSON.stringify([file, ...base.args])
    const config = await configs.get(key, false, () => configOf(base)).catch(() => null)
    const ssh = { ...base, isDirect: config !== null && isDirect(config, destination) }
    const environment = sentVariables(config ?? ownConfig(destination), ssh.env)
    const isNeeded =
      offer.kind !== 'keys' ||
      (config !== null &&
        (needsSystem(config, destination, await defaultsOf(ssh)) ||
          (await hasCertificate(config.get('identityfile') ?? [])) ||
          (destination.identityFile === null && (await agentHoldsOthers()))))
    // ssh2 can offer a few keys at once. Probing them would be one more refused sign-in.
    const mayProbe = isNeeded || (offer.kind === 'keys' && offer.count >= maxAuthTries)
    const identityFile = destination.identityFile ?? (await identity(mayProbe && ssh.isDirect))
    const isChosen = identityFile === destination.identityFile
    const withKey = isChosen
      ? program
      : await sshCommand({ ...destination, identityFile }, alias, deps.knownHosts, deps).catch(() => program)
    const system = { ...ssh, args: withKey.args }
    return { system: { ssh: system, isNeeded }, environment: offer.kind === 'keys' ? environment : {} }
  }
}
