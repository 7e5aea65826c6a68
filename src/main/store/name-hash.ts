import { createHmac, randomBytes } from 'node:crypto'

const hashOf = (name: string, salt: string): string => createHmac('sha256', salt).update(name).digest('hex')

/**
 * A private name and its salted hash. The name is in the encrypted store, the hash in the settings. If the store
 * cannot be opened, the hash identifies the name in the service's lists.
 */
export interface HashedName {
  readonly name: string
  /** Salt and hash, separated by a colon; absent if never written. */
  readonly nameHash?: string | undefined
}

export function withNameHash<Named extends HashedName>(record: Named): Named {
  if (record.nameHash !== undefined || record.name === '') return record
  return { ...record, nameHash: hashName(record.name) }
}

/** Returns a random salt and the hash of `name`, separated by a colon. */
export function hashName(name: string): string {
  const salt = randomBytes(16).toString('hex')
  return `${salt}:${hashOf(name, salt)}`
}

export function isHashOf(nameHash: string, name: string): boolean {
  const [salt = '', hash] = nameHash.split(':')
  return hashOf(name, salt) === hash
}

/** Fills in an unknown name if any of `names` matches its hash. Pure. */
export function withKnownName<Named extends HashedName>(record: Named, names: readonly string[]): Named {
  const { nameHash } = record
  if (record.name !== '' || nameHash === undefined) return record
  const name = names.find((candidate) => isHashOf(nameHash, candidate))
  return name === undefined ? record : { ...record, name }
}
