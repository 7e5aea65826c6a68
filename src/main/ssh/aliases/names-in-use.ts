import { readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { posix, win32 } from 'node:path'
import type { LeftOutReason } from '#shared/bridge/ssh-alias'
import { variable } from '../launcher/find-program'
import { isHostLabel, matchesPattern } from './ssh-config-parser'
import { knownNamesIn, namesAmong } from './known-names'

/** Places outside the home folder where this computer names hosts. */
export interface SystemPlaces {
  /** Folder of the system's ssh_config and known hosts. */
  readonly sshFolder: string
  readonly hostsFile: string
  /** This computer's name, possibly with its domain. */
  readonly ownName: string
}

export const systemPlaces = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): SystemPlaces =>
  platform === 'win32'
    ? {
        sshFolder: win32.join(variable(env, 'ProgramData') ?? 'C:\\ProgramData', 'ssh'),
        hostsFile: win32.join(variable(env, 'SystemRoot') ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts'),
        ownName: hostname(),
      }
    : { sshFolder: '/etc/ssh', hostsFile: '/etc/hosts', ownName: hostname() }

/** Upper bound on a file that is read: hosts files that block advertisements have megabytes. */
const maxFileBytes = 8 * 1_048_576

/** Names that systems resolve to themselves and their gateway without a file. */
const ownNames = [
  'localhost',
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'broadcasthost',
  '_gateway',
  '_outbound',
  '_localdnsstub',
  '_localdnsproxy',
]

/** Hosts by the place that names them, in full or by a pattern. */
export interface NamedHosts {
  /** In an ssh configuration. */
  readonly configured: readonly string[]
  /** In a known_hosts file: ssh connected to them before. */
  readonly known: readonly string[]
  /** In the hosts file, and the computer's own name. */
  readonly system: readonly string[]
}

/** Aliases, in lower case, that would lead to another host, with the reason. */
export type NamesInUse = ReadonlyMap<string, LeftOutReason>

const matcher = (hosts: readonly string[]): ((name: string) => boolean) => {
  const plain = new Set(hosts.map((host) => host.toLowerCase()))
  const patterns = [...plain].filter((host) => /[*?]/.test(host))
  return (name) => plain.has(name) || patterns.some((pattern) => matchesPattern(pattern, name))
}

export const namesInUse = (
  aliases: readonly string[],
  { configured, known, system }: NamedHosts,
): NamesInUse => {
  const isConfigured = matcher(configured)
  const isKnown = matcher(known)
  const isOfSystem = matcher([...ownNames, ...system])
  const reasons = new Map<string, LeftOutReason>()
  for (const alias of aliases.map((name) => name.toLowerCase()))
    if (isConfigured(alias)) reasons.set(alias, 'in-use')
    else if (isOfSystem(alias)) reasons.set(alias, 'this-computer')
    else if (isKnown(alias)) reasons.set(alias, 'known-host')
  return reasons
}

/** Returns the names in a hosts file (hosts(5)). */
const hostsFileNames = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [, ...names] = line.replace(/#.*/s, '').trim().split(/\s+/)
    return names.filter(isHostLabel)
  })

/** Returns a function that reads a file, again only after it changed. `none`: the file is missing, unreadable or too large. */
const openFile = <Value>(path: string, read: (text: string) => Value, none: Value) => {
  let last: { readonly version: string; readonly value: Value } | undefined
  return async (): Promise<Value> => {
    try {
      const stats = await stat(path)
      // Checked before opening: opening a pipe would wait for its writer.
      if (!stats.isFile() || stats.size > maxFileBytes) return none
      const version = [stats.ino, stats.mtimeMs, stats.size].join()
      if (last?.version !== version) last = { version, value: read(await readFile(path, 'latin1')) }
      return last.value
    } catch {
      return none
    }
  }
}

const openKnownHostsFile = (path: string) => {
  const file = openFile(
    path,
    (text) => ({ ...knownNamesIn(text), lookups: new Map<string, boolean>() }),
    null,
  )
  return async (aliases: readonly string[]): Promise<readonly string[]> => {
    const known = await file()
    if (known === null) return []
    const { plain, hashed, lookups } = known
    const names = [...new Set(aliases.map((alias) => alias.toLowerCase()))]
    const unknown = names.filter((name) => !lookups.has(name))
    const matches = new Set(await namesAmong(hashed, unknown))
    for (const name of unknown) lookups.set(name, matches.has(name))
    return [...plain, ...names.filter((name) => lookups.get(name))]
  }
}

/** Returns a function that reads the hosts the user reaches by name without an ssh configuration. Never fails. */
export function openNamedHosts(home: string, platform: NodeJS.Platform, places: SystemPlaces) {
  const { join } = platform === 'win32' ? win32 : posix
  const { sshFolder, hostsFile, ownName } = places
  const paths = ['known_hosts', 'known_hosts2'].flatMap((name) => [
    join(home, '.ssh', name),
    join(sshFolder, `ssh_${name}`),
  ])
  const known = paths.map(openKnownHostsFile)
  const fromHostsFile = openFile(hostsFile, hostsFileNames, [])
  return async (aliases: readonly string[]): Promise<Pick<NamedHosts, 'known' | 'system'>> => ({
    known: (await Promise.all(known.map((names) => names(aliases)))).flat(),
    system: [...(await fromHostsFile()), ownName.replace(/\..*/s, '')],
  })
}
