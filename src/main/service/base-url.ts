import { FailureError, type InvalidReason } from '#shared/failure'

/** Default path of the service (service-extensions.md). */
const usualPath = '/api/v1'

const refuse = (reason: InvalidReason): never => {
  throw new FailureError({ kind: 'invalid-input', field: 'baseUrl', reason })
}

/** Whether a URL's host is this computer. `hostname` is as URL returns it: lower case, IPv6 in brackets. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i

const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

const withScheme = (typed: string): URL | null => {
  if (scheme.test(typed)) return parse(typed)
  const url = parse(`https://${typed}`)
  // This computer has no certificate, so http is the default for it.
  return url !== null && isLoopback(url.hostname) ? parse(`http://${typed}`) : url
}

/**
 * Returns the base URLs that an address may mean, in the order to try them, without trailing slash: as typed, and
 * with the default path if it has none. The default scheme is https, or http for this computer. Fails with
 * invalid-input (baseUrl): required, not-a-url (also for credentials, a query or a fragment), insecure-url (http to
 * another computer), loopback-only.
 */
export const baseUrlCandidates = (typed: string, loopbackOnly: boolean): readonly [string, ...string[]] => {
  const text = typed.trim()
  if (text === '') return refuse('required')
  const malformed = loopbackOnly ? 'loopback-only' : 'not-a-url'
  const url = withScheme(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refuse(malformed)
  if (url.username !== '' || url.password !== '' || /[?#\s]/.test(text)) return refuse(malformed)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return refuse('insecure-url')
  if (loopbackOnly && !isLoopback(url.hostname)) return refuse('loopback-only')
  const path = url.pathname.replace(/\/+$/, '')
  return path === '' ? [url.origin, `${url.origin}${usualPath}`] : [`${url.origin}${path}`]
}
