import type { SshLink } from '#shared/bridge/ssh-link'
import { limits } from '#shared/service/limits'

/** A port as typed; null where it is none. */
export function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null
  const port = Number(text)
  return port >= limits.port.min && port <= limits.port.max ? port : null
}

/** `SHA256:4k9c…t1w0`: enough to recognise a fingerprint; the whole one is a pointer or a click away. */
export const shortFingerprint = (fingerprint: string): string =>
  fingerprint.replace(
    /^([A-Za-z0-9]+:)?(.{4}).{8,}(.{4})$/,
    (_whole, kind: string | undefined, start, end) => `${kind ?? ''}${start}…${end}`,
  )

/** The machine hung up before the key that it takes was offered: a key has to be chosen. */
export const hasTooManyKeys = (link: SshLink | null): boolean =>
  link?.kind === 'stopped' && link.stop.kind === 'key-refused' && link.stop.isCut === true
