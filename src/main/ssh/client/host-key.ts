import { createHash } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'

/** A host's public key. */
export interface HostKey {
  /** As in known_hosts: `ssh-ed25519`, `ssh-rsa`, … */
  readonly type: string
  /** The key blob in base64. */
  readonly blob: string
  /** The application recorded it at first contact, and no person has seen it. */
  readonly isUnseen?: true
}

/** Whether the person takes a key for the machine's, which records it; false: they do not, or were not asked. */
export type ConfirmHostKey = (key: HostKey, gone: AbortSignal) => Promise<boolean>

/** As ssh shows it: `SHA256:` and the digest in base64 without padding. */
export const fingerprint = (key: HostKey): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key.blob, 'base64')).digest('base64').replace(/=+$/, '')}`

/** A key as it came over the wire; its type stands in front (RFC 4253 §6.6). */
export const hostKeyOf = (blob: Buffer): HostKey => ({
  type: blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1'),
  blob: blob.toString('base64'),
})

/** What the aliases of all machines of an account end in. */
export const aliasSuffix = (account: AccountId): string => `.${account}.wheelhouse`

/**
 * The name of a machine in the known-hosts file. ssh compares these names in lower case, so that an id which is not
 * plain goes in by its digest.
 */
export const hostKeyAlias = (account: AccountId, machine: string): string => {
  const plain = /^[a-z0-9][a-z0-9-]{0,62}$/.test(machine)
  const name = plain ? machine : `sha256.${createHash('sha256').update(machine).digest('hex').slice(0, 32)}`
  return name + aliasSuffix(account)
}
