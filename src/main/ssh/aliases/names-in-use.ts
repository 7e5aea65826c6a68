import { readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { posix, win32 } from 'node:path'
import type { LeftOutReason } from '#shared/bridge/ssh-alias'
import { variable } from '../launcher/find-program'
import { isHostLabel, matchesPattern } from './ssh-config-parser'
import { knownNamesIn, namesAmong } from './known-names'

/** Where this computer, and who administers it, name hosts. */
export interface SystemPlaces {
  /** Of the system's ssh_config and known hosts. */
  readonly sshFolder: string
  readonly hostsFile: string
  /** What this computer is called, with its domain where it has one. */
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

/** Bytes. Hosts files that block advertisements are megabytes; what is larger still is not read. */
const largest = 8 * 1_048_576

/** What systems call themselves and their gateway, in no file. */
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

/** The hosts of each kind of place, in full or by a pattern. */
export interface NamedHosts {
  /** Of the configuration of ssh. */
  readonly configured: readonly string[]
  /** To which ssh has connected before. */
  readonly known: readonly string[]
  /** Of the hosts file, and the computer's own. */
  readonly system: readonly string[]
}

/** Why an alias may not be used, by the alias in lower case. */
export type NamesInUse = ReadonlyMap<string, LeftOutReason>

const matcher = (hosts: readonly string[]): ((name: string) => boolean) => {
  const plain = new Set(hosts.map((host) => host.toLowerCase()))
  const patterns = [...plain].filter((host) => /[*?]/.test(host))
  return (name) => plain.has(name) || patterns.some((pattern) => matchesPattern(pattern, name))
}

/** Pure. */
export const namesInUse = (
  aliases: readonly string[],
  { configured, known, system }: NamedHosts,
): NamesInUse => {
  const isConfigured = matcher(configured)
  const isKnown = matcher(known)
  const isOfSystem = matcher([...ownNames, ...system])
  const found = new Map<string, LeftOutReason>()
  for (const alias of aliases.map((name) => name.toLowerCase()))
    if (isConfigured(alias)) found.set(alias, 'in-use')
    else if (isOfSystem(alias)) found.set(alias, 'this-computer')
    else if (isKnown(alias)) found.set(alias, 'known-host')
  return found
}

/** The names of a hosts file (hosts(5)). */
const hostsFileNames = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [, ...names] = line.replace(/#.*/s, '').trim().split(/\s+/)
    return names.filter(isHostLabel)
  })

/** Reads a file anew where it has changed; `none` where it is missing, unreadable or too large. */
const openFile = <Value>(path: string, read: (text: string) => Value, none: Value) => {
  let last: { readonly version: string; readonly value: Value } | undefined
  return async (): Promise<Value> => {
    try {
      const found = await stat(path)
      // Asked first: opening a pipe would wait for its writer.
      if (!found.isFile() || found.size > largest) return none
      const version = [found.ino, found.mtimeMs, found.size].join()
      if (last?.version !== version) last = { version, value: read(await readFile(path, 'latin1')) }
      return last.value
    } catch {
      return none
    }
  }
}

const openKnownHostsFile = (path: string) => {
  const file = openFile(path, (text) => ({ ...knownNamesIn(text), asked: new Map<string, boolean>() }), null)
  return async (aliases: readonly string[]): Promise<readonly string[]> => {
    const known = await file()
    if (known === null) return []
    const { plain, hashed, asked } = known
    const names = [...new Set(aliases.map((alias) => alias.toLowerCase()))]
    const unasked = names.filter((name) => !asked.has(name))
    const found = new Set(await namesAmong(hashed, unasked))
    for (const name of unasked) asked.set(name, found.has(name))
    return [...plain, ...names.filter((name) => asked.get(name))]
  }
}

/** The hosts that the person reaches by name without an entry in a configuration. Never fails. */
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
