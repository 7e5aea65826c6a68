import { limits } from '#shared/service/limits'

/** A port as typed; null where it is none. */
export function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null
  const port = Number(text)
  return port >= limits.port.min && port <= limits.port.max ? port : null
}
