import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { extensionsOf } from './certificate-extensions'

/** Accepted signature algorithms: SHA-2 with RSA or ECDSA, and Ed25519. */
const signatures = new Set([
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2b6570',
])
/** Critical extensions that are checked here or have no effect: key usage, names, constraints, policies, extended usage. */
const checkedExtensions = new Set(['551d0f', '551d11', '551d13', '551d20', '551d25'])
/** Extension that limits the names an authority may sign. It is not checked, so such an authority is refused. */
const nameConstraintsId = '551d1e'
const serverAuthentication = '1.3.6.1.5.5.7.3.1'
const anyUsage = '2.5.29.37.0'
const maxChainLength = 6

const isStrong = ({ publicKey }: X509Certificate): boolean => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey
  if (type === 'rsa') return (details?.modulusLength ?? 0) >= 2048
  return type === 'ec' || type === 'ed25519'
}

const isCurrent = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now * 1000 && now * 1000 <= Date.parse(validTo)

/** Whether the certificate is valid for servers. Some authorities are for mail only. */
const isForServers = ({ keyUsage }: { readonly keyUsage: readonly string[] | undefined }): boolean =>
  keyUsage === undefined || keyUsage.includes(serverAuthentication)

/** `below`: number of authorities down to the server's certificate. An anchor's own signature proves nothing. */
const mayIssue = (authority: X509Certificate, below: number, now: number): boolean => {
  const extensions = extensionsOf(authority)
  return (
    extensions !== null &&
    authority.ca &&
    isStrong(authority) &&
    isCurrent(authority, now) &&
    (isForServers(authority) || authority.keyUsage.includes(anyUsage)) &&
    extensions.critical.every((id) => checkedExtensions.has(id)) &&
    !extensions.all.includes(nameConstraintsId) &&
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
 * Whether a server's certificate is valid for this host and signed by an anchor, directly or through intermediates.
 * Called only after Chromium found an unknown authority and nothing worse. Refuses certificates that it cannot check.
 * Revocation is not checked. `now`: epoch seconds. Pure.
 */
export function isTrustedChain(
  host: string,
  [leaf, ...intermediates]: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  now: number,
): boolean {
  if (leaf === undefined || !isOfHost(leaf, host) || !isCurrent(leaf, now) || !isStrong(leaf)) return false
  const extensions = extensionsOf(leaf)
  if (
    extensions === null ||
    !isForServers(leaf) ||
    !extensions.critical.every((id) => checkedExtensions.has(id))
  )
    return false

  // Each certificate is used once per search: certificates that sign each other would create endless paths.
  let level: readonly X509Certificate[] = [leaf]
  let remaining = intermediates
  for (let below = 0; below <= maxChainLength && level.length > 0; below += 1) {
    const signsLevel = (authority: X509Certificate): boolean =>
      mayIssue(authority, below, now) && level.some((certificate) => isSignedBy(certificate, authority))
    if (anchors.some(signsLevel)) return true
    level = remaining.filter(signsLevel)
    remaining = remaining.filter((certificate) => !level.includes(certificate))
  }
  return false
}
