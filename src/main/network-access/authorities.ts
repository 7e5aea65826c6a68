import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders for added authorities on Debian, Red Hat, Arch and SUSE. Chromium reads none of them. */
const linuxFolders = [
  '/usr/local/share/ca-certificates',
  '/etc/pki/ca-trust/source/anchors',
  '/etc/ca-certificates/trust-source/anchors',
  '/etc/pki/trust/anchors',
]

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Parses the certificates of a file in PEM form (one or many) or DER form; none if it contains something else. */
export function certificatesIn(content: Buffer): readonly X509Certificate[] {
  const blocks = content.toString('latin1').match(pemBlock)
  return (blocks ?? [content]).flatMap((block) => {
    try {
      return [new X509Certificate(block)]
    } catch {
      return []
    }
  })
}

const inFile = (path: string): readonly X509Certificate[] => {
  try {
    return certificatesIn(readFileSync(path))
  } catch {
    return []
  }
}

const inFolder = (folder: string): readonly X509Certificate[] => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      /\.(crt|pem|cer)$/.test(name) ? inFile(join(folder, name)) : [],
    )
  } catch {
    return []
  }
}

/**
 * Returns the authorities that Chromium does not read: NODE_EXTRA_CA_CERTS, and the administrators' folders on Linux.
 * Chromium reads the macOS keychain, the Windows store and its own database on Linux.
 */
export const systemAuthorities = (
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  folders = linuxFolders,
): readonly X509Certificate[] => [
  ...(env.NODE_EXTRA_CA_CERTS ? inFile(env.NODE_EXTRA_CA_CERTS) : []),
  ...(platform === 'linux' ? folders.flatMap(inFolder) : []),
]

export const authorityName = ({ subject }: X509Certificate): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
