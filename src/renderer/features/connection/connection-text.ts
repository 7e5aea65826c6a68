import type { SshLink } from '#shared/bridge/ssh-link'
import { limits } from '#shared/service/limits'

export function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null
  const port = Number(text)
  return port >= limits.port.min && port <= limits.port.max ? port : null
}

/** Shortens a fingerprint to `SHA256:4k9c…t1w0`. */
export const shortFingerprint = (fingerprint: string): string =>
  fingerprint.replace(
    /^([A-Za-z0-9]+:)?(.{4}).{8,}(.{4})$/,
    (_whole, kind: string | undefined, start, end) => `${kind ?? ''}${start}…${end}`,
  )

/** Returns whether the machine closed the connection before the right key was offered, so that one must be chosen. */
export const hasTooManyKeys = (link: SshLink | null): boolean =>
  link?.kind === 'stopped' && link.stop.kind === 'key-refused' && link.stop.isCut === true
