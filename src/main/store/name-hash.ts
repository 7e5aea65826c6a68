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
  const salt = randomBytes(16).toString('hex')
  return { ...one, nameHash: `${salt}:${hashOf(one.name, salt)}` }
}

/** The same with its name, where that is one of these. Pure. */
export function withKnownName<One extends HashedName>(one: One, names: readonly string[]): One {
  if (one.name !== '' || one.nameHash === undefined) return one
  const [salt = '', hash] = one.nameHash.split(':')
  const name = names.find((candidate) => hashOf(candidate, salt) === hash)
  return name === undefined ? one : { ...one, name }
}
