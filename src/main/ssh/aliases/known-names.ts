import { createHmac } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { isHostLabel } from './ssh-config-parser'

/** A name that HashKnownHosts has hashed. */
interface HashedName {
  readonly salt: Buffer
  /** HMAC-SHA1 of the name under the salt, in base64. */
  readonly digest: string
}

/** Hosts of a known_hosts file that a name without dots can mean. */
export interface KnownNames {
  /** Names and patterns. */
  readonly plain: readonly string[]
  readonly hashed: readonly HashedName[]
}

const hashedName = (name: string): HashedName | undefined => {
  const [, salt, digest] = /^\|1\|([\w+/=]+)\|([\w+/=]+)$/.exec(name) ?? []
  return salt === undefined || digest === undefined
    ? undefined
    : { salt: Buffer.from(salt, 'base64'), digest }
}

/** Returns the hosts of a line (sshd(8)), which may begin with a marker such as `@cert-authority`. */
const namesOf = (line: string): readonly string[] => {
  const [first = '', second = ''] = line.trim().split(/\s+/, 2)
  return first.startsWith('#') ? [] : (first.startsWith('@') ? second : first).split(',')
}

export const knownNamesIn = (text: string): KnownNames => {
  const names = text.split('\n').flatMap(namesOf)
  return {
    // A name with a port: `[name]:2222`.
    plain: names.map((name) => /^\[(.+)\]:\d+$/.exec(name)?.[1] ?? name).filter(isHostLabel),
    hashed: names.map(hashedName).filter((name) => name !== undefined),
  }
}

/** Digests, of a few microseconds each, between two pauses for other work. */
const digestsAtOnce = 500
/** Upper bound on the digests of one lookup. */
const maxDigests = 2_000_000

/**
 * Returns the names, in lower case, that are among the hashed names. Compares only the newest if there are too many. Finds
 * no name with a port: it is hashed together with the port.
 */
export async function namesAmong(
  hashed: readonly HashedName[],
  names: readonly string[],
): Promise<readonly string[]> {
  const newest = hashed.slice(-Math.ceil(maxDigests / Math.max(1, names.length)))
  const matches: string[] = []
  let digests = 0
  for (const name of names)
    for (const { salt, digest } of newest) {
      digests += 1
      if (digests % digestsAtOnce === 0) await yieldToOthers()
      if (createHmac('sha1', salt).update(name).digest('base64') !== digest) continue
      matches.push(name)
      break
    }
  return matches
}
