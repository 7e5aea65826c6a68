import { createHash } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'

/** A host's public key. */
export interface HostKey {
  /** Type as in known_hosts: `ssh-ed25519`, `ssh-rsa`, … */
  readonly type: string
  /** Key in wire format, as base64. */
  readonly blob: string
  /** Recorded at first contact; no user has seen it. */
  readonly isUnseen?: true
}

/** Asks whether the user trusts a host key, and records it then. False: they don't, or there was no question. */
export type ConfirmHostKey = (key: HostKey, gone: AbortSignal) => Promise<boolean>

/** Formats a fingerprint as ssh does: `SHA256:` and the digest in base64 without padding. */
export const fingerprint = (key: HostKey): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key.blob, 'base64')).digest('base64').replace(/=+$/, '')}`

/** Parses a key in wire format, which begins with its type (RFC 4253 §6.6). */
export const hostKeyOf = (blob: Buffer): HostKey => ({
  type: blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1'),
  blob: blob.toString('base64'),
})

/** Suffix of the aliases of all machines of an account. */
export const aliasSuffix = (account: AccountId): string => `.${account}.wheelhouse`

/** Name of a machine in the known-hosts file. ssh compares names in lower case, so an unusual id is replaced by its digest. */
export const hostKeyAlias = (account: AccountId, machine: string): string => {
  const plain = /^[a-z0-9][a-z0-9-]{0,62}$/.test(machine)
  const name = plain ? machine : `sha256.${createHash('sha256').update(machine).digest('hex').slice(0, 32)}`
  return name + aliasSuffix(account)
}
