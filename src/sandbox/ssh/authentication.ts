import { timingSafeEqual } from 'node:crypto'
import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'
import type { SshMachine } from './machine'

/** Returns the key of a machine; undefined if ssh2 cannot parse it. */
function keyOf(machine: SshMachine): ParsedKey | undefined {
  const parsed = ssh2.utils.parseKey(machine.publicKey)
  return parsed instanceof Error ? undefined : parsed
}

const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Whether an attempt queries or proves possession of the machine's key. Other methods are refused. RSA keys must sign
 * with SHA-2, as with OpenSSH.
 */
export function isAuthorized(machine: SshMachine, attempt: AuthContext): boolean {
  if (attempt.method !== 'publickey') return false
  const key = keyOf(machine)
  if (!key || attempt.key.algo !== key.type || !same(attempt.key.data, key.getPublicSSH())) return false
  if (key.type === 'ssh-rsa' && attempt.hashAlgo === undefined) return false
  // Without a signature the client asks whether the key is acceptable (RFC 4252 §7); ssh2 replies without admission.
  if (!attempt.signature || !attempt.blob)
    return attempt.signature === undefined && attempt.blob === undefined
  // ssh2 returns an Error for a malformed signature.
  return key.verify(attempt.blob, attempt.signature, attempt.hashAlgo) === true
}
