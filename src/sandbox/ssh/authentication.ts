import { timingSafeEqual } from 'node:crypto'
import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'
import type { SshMachine } from './machine'

/** The one key of a machine; undefined where its text is no key that ssh2 can check. */
function keyOf(machine: SshMachine): ParsedKey | undefined {
  const parsed = ssh2.utils.parseKey(machine.publicKey)
  return parsed instanceof Error ? undefined : parsed
}

const same = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

/**
 * Whether the attempt proves possession of, or queries, the key that the machine was created with. Other methods are
 * refused. RSA keys must sign with SHA-2, as with OpenSSH.
 */
export function isAuthorized(machine: SshMachine, attempt: AuthContext): boolean {
  if (attempt.method !== 'publickey') return false
  const key = keyOf(machine)
  if (!key || attempt.key.algo !== key.type || !same(attempt.key.data, key.getPublicSSH())) return false
  if (key.type === 'ssh-rsa' && attempt.hashAlgo === undefined) return false
  // Without a signature the client queries whether the key is acceptable (RFC 4252 §7); ssh2 replies without admission.
  if (!attempt.signature || !attempt.blob)
    return attempt.signature === undefined && attempt.blob === undefined
  // ssh2 returns an Error, which is not true, where the signature is malformed.
  return key.verify(attempt.blob, attempt.signature, attempt.hashAlgo) === true
}
