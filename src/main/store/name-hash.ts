import { createHmac, randomBytes } from 'node:crypto'

const hashOf = (name: string, salt: string): string => createHmac('sha256', salt).update(name).digest('hex')

/**
 * A private name and its salted hash: the name is in the encrypted store, the hash beside the ids in the settings, so
 * that the name is recognised among those that the service lists where the store cannot be opened.
 */
export interface HashedName {
  /** Empty: not known now. */
  readonly name: string
  /** Salt and hash, separated by a colon; absent: never written. */
  readonly nameHash?: string | undefined
}

export function withNameHash<One extends HashedName>(one: One): One {
  if (one.nameHash !== undefined || one.name === '') return one
  return { ...one, nameHash: hashName(one.name) }
}

/** A name as it is written where it may not be read: salt and hash, separated by a colon. */
export function hashName(name: string): string {
  const salt = randomBytes(16).toString('hex')
  return `${salt}:${hashOf(name, salt)}`
}

/** Whether this is the name that was hashed. Pure. */
export function isHashOf(nameHash: string, name: string): boolean {
  const [salt = '', hash] = nameHash.split(':')
  return hashOf(name, salt) === hash
}

/** The same with its name, where that is one of these. Pure. */
export function withKnownName<One extends HashedName>(one: One, names: readonly string[]): One {
  const { nameHash } = one
  if (one.name !== '' || nameHash === undefined) return one
  const name = names.find((candidate) => isHashOf(nameHash, candidate))
  return name === undefined ? one : { ...one, name }
}
