import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { extensionsOf } from './certificate-extensions'

/** SHA-2 with RSA, ECDSA and Ed25519; nothing weaker. */
const signatures = new Set([
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2b6570',
])
/** Key usage, alternative names, basic constraints, policies, extended key usage: what is checked here, or has no effect. */
const known = new Set(['551d0f', '551d11', '551d13', '551d20', '551d25'])
/** Limits the names that an authority may sign for, which is not checked here: such an authority is refused. */
const nameConstraints = '551d1e'
const serverAuthentication = '1.3.6.1.5.5.7.3.1'
const anyUsage = '2.5.29.37.0'
const longestChain = 6

const isStrong = ({ publicKey }: X509Certificate): boolean => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey
  if (type === 'rsa') return (details?.modulusLength ?? 0) >= 2048
  return type === 'ec' || type === 'ed25519'
}

const isCurrent = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now * 1000 && now * 1000 <= Date.parse(validTo)

/** An authority for mail alone has none for servers. */
const isForServers = ({ keyUsage }: { readonly keyUsage: readonly string[] | undefined }): boolean =>
  keyUsage === undefined || keyUsage.includes(serverAuthentication)

/** `below`: authorities between this one and the server's certificate; an anchor's own signature proves nothing. */
const mayIssue = (authority: X509Certificate, below: number, now: number): boolean => {
  const extensions = extensionsOf(authority)
  return (
    extensions !== null &&
    authority.ca &&
    isStrong(authority) &&
    isCurrent(authority, now) &&
    (isForServers(authority) || authority.keyUsage.includes(anyUsage)) &&
    extensions.critical.every((id) => known.has(id)) &&
    !extensions.all.includes(nameConstraints) &&
    (extensions.pathLength === null || below <= extensions.pathLength)
  )
}

const isSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) &&
  signatures.has(extensionsOf(certificate)?.signature ?? '') &&
  certificate.verify(authority.publicKey)

const isOfHost = (certificate: X509Certificate, host: string): boolean =>
  isIP(host) > 0
    ? certificate.checkIP(host) !== undefined
    : certificate.checkHost(host, { subject: 'never' }) !== undefined

/**
 * Whether a server's certificate is for this host and one of `anchors` vouches for it, over the intermediates that the
 * server sent. It is asked only after Chromium has found no authority and nothing worse. Whatever it cannot judge it
 * refuses; revocation is not checked. `now` in epoch seconds. Pure.
 */
export function isTrustedChain(
  host: string,
  [leaf, ...intermediates]: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  now: number,
): boolean {
  if (leaf === undefined || !isOfHost(leaf, host) || !isCurrent(leaf, now) || !isStrong(leaf)) return false
  const extensions = extensionsOf(leaf)
  if (extensions === null || !isForServers(leaf) || !extensions.critical.every((id) => known.has(id)))
    return false

  // Level by level, each certificate once: of those that sign each other there would be endless paths.
  let level: readonly X509Certificate[] = [leaf]
  let left = intermediates
  for (let below = 0; below <= longestChain && level.length > 0; below += 1) {
    const signsOne = (authority: X509Certificate): boolean =>
      mayIssue(authority, below, now) && level.some((certificate) => isSignedBy(certificate, authority))
    if (anchors.some(signsOne)) return true
    level = left.filter(signsOne)
    left = left.filter((certificate) => !level.includes(certificate))
  }
  return false
}
