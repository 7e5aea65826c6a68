/** Page behind a forward. `path` and `token` come from a machine. */
export interface LocalPage {
  readonly port: number
  readonly path: string
  readonly token: string | null
  readonly secure?: boolean
}

/**
 * Returns the page's address on this computer's loopback, whatever the machine answered: the application opens no other
 * address in a browser. Pure.
 */
export function localPageUrl({ port, path, token, secure }: LocalPage): string {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('not a port')
  const url = new URL(`${secure ? 'https' : 'http'}://127.0.0.1:${port}/`)
  url.pathname = path
  if (token !== null) url.searchParams.set('token', token)
  return url.href
}
