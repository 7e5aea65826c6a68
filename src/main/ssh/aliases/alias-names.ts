import { createHash } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import type { LeftOutReason } from '#shared/bridge/ssh-alias'
import { resourceKey } from '#shared/resource-key'
import { isPlainHost, isPlainPath, isPlainUser, isShellUser, readJumpHost } from '../client/plain-values'
import type { Destination } from '../launcher/ssh-arguments'
import type { NamesInUse } from './names-in-use'

/** A machine and how it is reached, unchecked. */
export interface AliasTarget {
  readonly account: AccountId
  readonly machine: string
  readonly name: string
  readonly user: string | null
  readonly host: string | null
  readonly port: number
  readonly identityFile: string | null
  readonly jumpHost?: string | null | undefined
  readonly forwardAgent?: boolean | null | undefined
  readonly options?: string | null | undefined
}

export interface Alias {
  readonly account: AccountId
  readonly machine: string
  readonly alias: string
  readonly destination: Destination
}

export interface LeftOut {
  readonly account: AccountId
  readonly machine: string
  readonly name: string
  readonly reason: LeftOutReason
}

/**
 * Returns whether a machine's name can be an alias. A name with a dot or a colon, or a number, means another host already:
 * a machine called `github.com` would receive data for that host.
 */
const isAliasName = (name: string): boolean => isPlainHost(name) && !/[.:]/.test(name) && name.length <= 63

const ownSuffix = ({ account, machine }: AliasTarget): string =>
  createHash('sha256').update(resourceKey(account, machine)).digest('hex').slice(0, 6)

const counts = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>()
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1)
  return counted
}

const destinationOf = (
  { user, host, port, identityFile, jumpHost, forwardAgent, options }: AliasTarget,
  platform: NodeJS.Platform,
): Destination | LeftOutReason => {
  if (host === null || !isPlainHost(host)) return 'no-address'
  if (user === null || user === '') return 'no-user'
  if (!isPlainUser(user)) return 'user-refused'
  if (identityFile !== null && !isPlainPath(identityFile, platform)) return 'identity-file'
  const jump = jumpHost ? readJumpHost(jumpHost) : null
  if (jumpHost && jump === null) return 'no-address'
  if (jump !== null && !isShellUser(jump.user ?? user)) return 'user-refused'
  return { user, host, port, identityFile, jumpHost, forwardAgent, options }
}

const sameNames = (targets: readonly AliasTarget[]): ReadonlyMap<string, number> =>
  counts(targets.map(({ name }) => name.toLowerCase()))

const isShared = ({ name }: AliasTarget, names: ReadonlyMap<string, number>): boolean =>
  (names.get(name.toLowerCase()) ?? 0) > 1

/**
 * Returns the alias of a machine; null: its name can't be one. Machines with the same name all get a suffix of their own,
 * so that no alias leads to another machine after a deletion.
 */
const wantedAlias = (target: AliasTarget, names: ReadonlyMap<string, number>): string | null => {
  if (!isAliasName(target.name)) return null
  return isShared(target, names) ? `${target.name}-${ownSuffix(target)}` : target.name
}

/** Returns the aliases of machines without regard to other hosts. */
export const wantedAliases = (targets: readonly AliasTarget[]): readonly string[] => {
  const names = sameNames(targets)
  return targets.map((target) => wantedAlias(target, names)).filter((alias) => alias !== null)
}

/** Chooses the aliases of machines. `inUse`: wanted aliases that lead to another host. */
export const nameAliases = (
  targets: readonly AliasTarget[],
  inUse: NamesInUse,
  platform: NodeJS.Platform,
): { readonly aliases: readonly Alias[]; readonly leftOut: readonly LeftOut[] } => {
  const names = sameNames(targets)
  const aliases: Alias[] = []
  const leftOut: LeftOut[] = []
  const decide = (target: AliasTarget): Alias | LeftOutReason => {
    const { account, machine } = target
    const alias = wantedAlias(target, names)
    if (alias === null) return 'name'
    const reason = inUse.get(alias.toLowerCase())
    if (reason !== undefined) return reason
    // An alias with a suffix may equal another machine's name.
    if (isShared(target, names) && names.has(alias.toLowerCase())) return 'in-use'
    const destination = destinationOf(target, platform)
    return typeof destination === 'string' ? destination : { account, machine, alias, destination }
  }
  for (const target of targets) {
    const { account, machine, name } = target
    const decided = decide(target)
    if (typeof decided === 'string') leftOut.push({ account, machine, name, reason: decided })
    else aliases.push(decided)
  }
  return { aliases: aliases.toSorted((a, b) => (a.alias < b.alias ? -1 : 1)), leftOut }
}
