import { createHmac } from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'
import { isHostLabel } from './ssh-config-parser'

/** A name that HashKnownHosts hides. */
interface HashedName {
  readonly salt: Buffer
  /** HMAC-SHA1 of the name under the salt, in base64. */
  readonly digest: string
}

/** The hosts of a known_hosts file that can be meant by a name without dots. */
export interface KnownNames {
  /** In full or by a pattern. */
  readonly plain: readonly string[]
  readonly hashed: readonly HashedName[]
}

const hashedName = (name: string): HashedName | undefined => {
  const [, salt, digest] = /^\|1\|([\w+/=]+)\|([\w+/=]+)$/.exec(name) ?? []
  return salt === undefined || digest === undefined
    ? undefined
    : { salt: Buffer.from(salt, 'base64'), digest }
}

/** The hosts of a line (sshd(8)); a marker such as `@cert-authority` may stand before them. */
const namesOf = (line: string): readonly string[] => {
  const [first = '', second = ''] = line.trim().split(/\s+/, 2)
  return first.startsWith('#') ? [] : (first.startsWith('@') ? second : first).split(',')
}

/** Pure. */
export const knownNamesIn = (text: string): KnownNames => {
  const names = text.split('\n').flatMap(namesOf)
  return {
    // A port of its own: `[name]:2222`.
    plain: names.map((name) => /^\[(.+)\]:\d+$/.exec(name)?.[1] ?? name).filter(isHostLabel),
    hashed: names.map(hashedName).filter((name) => name !== undefined),
  }
}

/** A few microseconds each: so many at a time, and for all names together. */
const digestsAtOnce = 500
const mostDigests = 2_000_000

/**
 * Which of the names, in lower case, are among the hashed ones. Where these are too many for that, the newest are looked
 * at. One with a port of its own stays hidden: it is hashed with the port.
 */
export async function namesAmong(
  hashed: readonly HashedName[],
  names: readonly string[],
): Promise<readonly string[]> {
  const newest = hashed.slice(-Math.ceil(mostDigests / Math.max(1, names.length)))
  const found: string[] = []
  let digests = 0
  for (const name of names)
    for (const { salt, digest } of newest) {
      digests += 1
      if (digests % digestsAtOnce === 0) await others()
      if (createHmac('sha1', salt).update(name).digest('base64') !== digest) continue
      found.push(name)
      break
    }
  return found
}
