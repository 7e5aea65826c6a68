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

/** Milliseconds in which ssh says how it would connect. */
const saysWithin = 3_000

/** Seconds for which what it says is kept: the first contact of a machine asks three times. */
const configLifetime = 5

/** Seconds for which the defaults of a program are kept. */
const defaultsLifetime = 3_600

/** Keys after which sshd hangs up by default (sshd_config(5), MaxAuthTries). */
const authTries = 6

/** What `ssh -G` says: names in lower case, each with its values. */
type Config = ReadonlyMap<string, readonly string[]>

/** How ssh would connect by the person's configuration. Rejects where it does not say. */
const configOf = ({
  file,
  args,
  env,
  folder,
}: Pick<SystemSsh, 'file' | 'args' | 'env' | 'folder'>): Promise<Config> =>
  new Promise((resolve, reject) => {
    const settings = { env, cwd: folder, timeout: saysWithin, windowsHide: true }
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

/** What is set here of the environment, where no ssh says it. */
const configHere = (to: Destination): Config =>
  new Map([
    ['sendenv', valuesOf(to, 'SendEnv')],
    ['setenv', valuesOf(to, 'SetEnv')],
  ])

/** What ssh sends of its environment `env`, and what it sets, which counts before that (ssh_config(5), SendEnv). Pure. */
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

/** Options of the person's configuration that ssh2 knows nothing of. */
const foreign = [
  'proxycommand',
  'certificatefile',
  'pkcs11provider',
  'identityagent',
  'bindaddress',
  'bindinterface',
]

/** Whether ssh goes straight to the machine's address. Pure. */
const isDirect = (config: Config, { host, jumpHost }: Destination): boolean =>
  !jumpHost &&
  ['proxycommand', 'proxyjump'].every((name) =>
    (config.get(name) ?? []).every((value) => value === 'none'),
  ) &&
  (config.get('hostname') ?? []).every((name) => name === host.toLowerCase())

/**
 * Whether the configuration reaches the machine in a way that only ssh itself can take. `defaults`: without any configuration.
 * Pure.
 */
export function needsSystem(
  config: Config,
  { host, identityFile, jumpHost, options }: Destination,
  defaults: Config = new Map(),
): boolean {
  // Versions differ in the files that ssh tries by itself: OpenSSH 10.4 added id_mldsa44_ed25519.
  const isDefault = (path: string): boolean =>
    isUsualKey(path) || (defaults.get('identityfile') ?? []).includes(path)
  const isSet = (name: string): boolean => config.get(name)?.some((value) => value !== 'none') ?? false
  return (
    Boolean(options) ||
    foreign.some(isSet) ||
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

interface FoundTransport {
  /** Null: there is no ssh. */
  readonly system: SystemTransport | null
  /** What ssh sends to the machine, and ssh2 in its place. */
  readonly environment: Readonly<Record<string, string>>
}

/** How the system's ssh reaches a machine, whether it has to, and what goes with it. */
export function createSystemTransport(deps: SystemTransportDeps) {
  const { home, platform, env } = deps
  const configs = createTtlCache<Config>(configLifetime, deps.monotonic)
  const defaultConfigs = createTtlCache<Config>(defaultsLifetime, deps.monotonic)

  /** The program's own defaults; empty if it does not print them. */
  const defaultsOf = ({ file, env, folder }: SystemSsh): Promise<Config> =>
    defaultConfigs
      .get(file, false, () => configOf({ file, args: ['-F', 'none', 'defaults'], env, folder }))
      .catch(() => new Map())

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
    /** The key that opens the machine, where it is known, or may be asked for because nothing stands on the way. */
    identity: (isDirect: boolean) => Promise<string | null>,
  ): Promise<FoundTransport> => {
    // What stands in the way of ssh is said where a terminal is opened.
    const program = await sshCommand(destination, alias, deps.knownHosts, deps).catch(() => null)
    if (program === null) {
      return { system: null, environment: sentVariables(configHere(destination), terminalEnvironment(env)) }
    }
    const { ssh: file, ...rest } = program
    const base = { file, alias, shares: platform !== 'win32', listen, ...rest }
    const key = JSON.stringify([file, ...base.args])
    const config = await configs.get(key, false, () => configOf(base)).catch(() => null)
    const ssh = { ...base, isDirect: config !== null && isDirect(config, destination) }
    const environment = sentVariables(config ?? configHere(destination), ssh.env)
    const isNeeded =
      offer.kind !== 'keys' ||
      (config !== null &&
        (needsSystem(config, destination, await defaultsOf(ssh)) ||
          (await hasCertificate(config.get('identityfile') ?? [])) ||
          (destination.identityFile === null && (await agentHoldsOthers()))))
    // ssh2 offers a few keys at once: a question about them would be one more refused sign-in.
    const mayAsk = isNeeded || (offer.kind === 'keys' && offer.count >= authTries)
    const identityFile = destination.identityFile ?? (await identity(mayAsk && ssh.isDirect))
    const isOwn = identityFile === destination.identityFile
    const withKey = isOwn
      ? program
      : await sshCommand({ ...destination, identityFile }, alias, deps.knownHosts, deps).catch(() => program)
    const system = { ...ssh, args: withKey.args }
    return { system: { ssh: system, isNeeded }, environment: offer.kind === 'keys' ? environment : {} }
  }
}
