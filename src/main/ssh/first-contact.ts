import type { AccountId } from '#shared/bridge/account'
import { createMutex } from '../core/mutex'
import type { Askpass } from './askpass/index'
import type { ConfirmHostKey } from './client/host-key'
import { hostAndPort } from './client/host-key-check'
import type { KnownHosts } from './client/known-hosts'
import type { KeyPlace } from './destination'

export interface FirstContactDeps {
  readonly askpass: Pick<Askpass, 'confirms'>
  /** Whether the user confirms host keys of first contacts; false if absent. */
  confirmsHostKeys?(): boolean
  readonly knownHosts: KnownHosts
  machineName(account: AccountId, machine: string): string
  /** The user confirmed a key, and it is recorded. */
  confirmed(account: AccountId, machine: string): void
}

/**
 * Returns a function that asks about the first key of a machine or jump host, one question at a time. Undefined: the user
 * confirms no host keys.
 */
export function createFirstContact(deps: FirstContactDeps) {
  const { askpass, knownHosts } = deps
  const runExclusive = createMutex()

  return (account: AccountId, machine: string, place: KeyPlace): ConfirmHostKey | undefined => {
    if (!deps.confirmsHostKeys?.()) return undefined
    const { alias, host, port } = place
    return (key, gone) =>
      runExclusive(async () => {
        // Another connection may have recorded a key by now.
        const known = await knownHosts.keys(alias)
        if (known.length > 0) return known.some(({ type, blob }) => type === key.type && blob === key.blob)
        const machineName = deps.machineName(account, machine)
        const about = { account, machineName, address: hostAndPort(host, port) }
        if (!(await askpass.confirms(about, key, gone))) return false
        await knownHosts.add(alias, { type: key.type, blob: key.blob })
        deps.confirmed(account, machine)
        return true
      })
  }
}
