import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** Argument of Electron's `session.setProxy`. */
export type ProxyConfig =
  | { readonly mode: 'system' | 'direct' }
  | { readonly mode: 'fixed_servers'; readonly proxyRules: string; readonly proxyBypassRules: string }
  | { readonly mode: 'pac_script'; readonly pacScript: string }

export interface ProxyCredential {
  readonly username: string
  readonly password: string
}

export interface ProxyAddress {
  /** host:port, as in challenges. */
  readonly proxy: string
  /** Address with scheme, as in proxy rules. */
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

/** Decodes percent-encoded text. Text that is not percent-encoded is returned as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Parses a proxy's address with or without scheme; null if it is malformed. User name and password end at the last @ and
 * may contain any character, unlike for URL parsers, which end the host at a backslash, #, ? or /.
 */
export function proxyAddress(text: string): ProxyAddress | null {
  const [, scheme = 'http', signIn = '', server = ''] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:(.*)@)?([^@]*)$/is.exec(text.trim()) ?? []
  const full = `${scheme}://${server}`
  if (!URL.canParse(full)) return null
  const { protocol, hostname, port, pathname, search, hash } = new URL(full)
  const rule = schemes[protocol]
  if (rule === undefined || hostname === '' || !/^\/?$/.test(pathname) || search + hash !== '') return null
  const [username = '', ...password] = signIn.split(':')
  const proxy = `${hostname}:${port || rule.port}`
  return {
    proxy,
    rule: `${rule.rule}://${proxy}`,
    credential: signIn === '' ? null : { username: decoded(username), password: decoded(password.join(':')) },
  }
}

/** Converts an entry of NO_PROXY, which covers a domain and its subdomains, to a rule of Chromium's. */
const bypassRule = (entry: string): string => {
  if (isIP(entry) === 6) return `[${entry}]`
  const [, name = entry, port = ''] = /^(.*?)(:\d+)?$/.exec(entry) ?? []
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0 || entry.includes('/') || entry.includes('*')) return entry
  // Chromium compares ASCII names.
  const sent = domainToASCII(name.replace(/^\./, '')) + port
  return name.startsWith('.') ? `*.${sent}` : `${sent},*.${sent}`
}

/** Converts NO_PROXY. Skips entries in angle brackets, which are Chromium's keywords: `<-loopback>` would proxy loopback. */
const bypassRules = (list: string): string =>
  list
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '' && !/[<>]/.test(entry))
    .map(bypassRule)
    .join(',')

export type EnvironmentProxy =
  | { readonly kind: 'proxy'; readonly address: ProxyAddress; readonly config: ProxyConfig }
  /** The variable does not contain a proxy's address. */
  | { readonly kind: 'malformed'; readonly variable: string }

/** Uses this proxy, except for loopback (Chromium's default) and `exceptions`, in the form of NO_PROXY. */
export const fixedProxy = ({ rule }: ProxyAddress, exceptions = ''): ProxyConfig => ({
  mode: 'fixed_servers',
  proxyRules: rule,
  proxyBypassRules: bypassRules(exceptions),
})

/**
 * Reads the proxy of HTTPS_PROXY or ALL_PROXY with the exceptions of NO_PROXY, lower case first; null if none is set.
 * Services on other computers are always reached by https. Chromium reads these variables on some Linux desktops only.
 */
export function environmentProxy(env: NodeJS.ProcessEnv): EnvironmentProxy | null {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
  const variable = names.find((name) => env[name])
  if (variable === undefined) return null
  const address = proxyAddress(env[variable] ?? '')
  if (address === null) return { kind: 'malformed', variable }
  const exceptions = env['no_proxy'] || env['NO_PROXY'] || ''
  const config: ProxyConfig = exceptions.trim() === '*' ? { mode: 'direct' } : fixedProxy(address, exceptions)
  return { kind: 'proxy', address, config }
}
