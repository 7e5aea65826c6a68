import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** What Electron's `session.setProxy` takes. */
export type ProxyConfig =
  | { readonly mode: 'system' | 'direct' }
  | { readonly mode: 'fixed_servers'; readonly proxyRules: string; readonly proxyBypassRules: string }
  | { readonly mode: 'pac_script'; readonly pacScript: string }

export interface ProxyCredential {
  readonly username: string
  readonly password: string
}

export interface ProxyAddress {
  /** host:port, as a challenge names it. */
  readonly proxy: string
  /** With its scheme, as a rule names it. */
  readonly rule: string
  readonly credential: ProxyCredential | null
}

const schemes: Readonly<Record<string, { readonly rule: string; readonly port: string }>> = {
  'http:': { rule: 'http', port: '80' },
  'https:': { rule: 'https', port: '443' },
  'socks:': { rule: 'socks5', port: '1080' },
  'socks4:': { rule: 'socks4', port: '1080' },
  'socks5:': { rule: 'socks5', port: '1080' },
  'socks5h:': { rule: 'socks5', port: '1080' },
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A proxy's address as people and environments write it, `http://` left out or not; null: it is none. */
export function proxyAddress(text: string): ProxyAddress | null {
  const written = text.trim()
  const full = written.includes('://') ? written : `http://${written}`
  if (!URL.canParse(full)) return null
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(full)
  const scheme = schemes[protocol]
  if (scheme === undefined || hostname === '' || !/^\/?$/.test(pathname) || search + hash !== '') return null
  const proxy = `${hostname}:${port || scheme.port}`
  return {
    proxy,
    rule: `${scheme.rule}://${proxy}`,
    credential:
      username + password === '' ? null : { username: decoded(username), password: decoded(password) },
  }
}

/** A rule of Chromium's for an entry of NO_PROXY, which names a domain with all below it. */
const bypassRule = (entry: string): string => {
  if (entry.startsWith('.')) return `*.${domainToASCII(entry.slice(1))}`
  if (isIP(entry) === 6) return `[${entry}]`
  const [, name = entry, port = ''] = /^(.*?)(:\d+)?$/.exec(entry) ?? []
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0 || entry.includes('/') || entry.includes('*')) return entry
  // Chromium compares the names that are sent.
  const sent = domainToASCII(name) + port
  return `${sent},*.${sent}`
}

/** Entries in angle brackets are Chromium's own words, one of which takes loopback through the proxy. */
const bypassRules = (list: string): string =>
  list
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '' && !/[<>]/.test(entry))
    .map(bypassRule)
    .join(',')

export interface EnvironmentProxy {
  readonly address: ProxyAddress
  readonly config: ProxyConfig
}

/** Through this proxy, except for loopback, which Chromium leaves out by itself, and `exceptions`, as in NO_PROXY. */
export const fixedProxy = ({ rule }: ProxyAddress, exceptions = ''): ProxyConfig => ({
  mode: 'fixed_servers',
  proxyRules: rule,
  proxyBypassRules: bypassRules(exceptions),
})

/**
 * The proxy of HTTPS_PROXY or ALL_PROXY with the exceptions of NO_PROXY, in small letters too; null: the environment
 * names none. Services beyond this computer are always reached by https. Chromium reads these on some Linux desktops
 * only, and never on macOS and Windows.
 */
export function environmentProxy(env: NodeJS.ProcessEnv): EnvironmentProxy | null {
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || ''
  const address = proxyAddress(read('HTTPS_PROXY') || read('ALL_PROXY'))
  if (address === null) return null
  const exceptions = read('NO_PROXY')
  if (exceptions.trim() === '*') return { address, config: { mode: 'direct' } }
  return { address, config: fixedProxy(address, exceptions) }
}
