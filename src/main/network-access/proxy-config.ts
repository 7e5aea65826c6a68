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

/** Decodes percent-encoded text. Text that is not percent-encoded is returned as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Reads a proxy's address with or without its scheme; null if it is malformed. The user name and the password end at the
 * last @ and may hold any character: URL parsers take a backslash, #, ? and / for the end of the host.
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

/** A rule of Chromium's for an entry of NO_PROXY, which names a domain with all below it. */
const bypassRule = (entry: string): string => {
  if (isIP(entry) === 6) return `[${entry}]`
  const [, name = entry, port = ''] = /^(.*?)(:\d+)?$/.exec(entry) ?? []
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0 || entry.includes('/') || entry.includes('*')) return entry
  // Chromium compares the names that are sent.
  const sent = domainToASCII(name.replace(/^\./, '')) + port
  return name.startsWith('.') ? `*.${sent}` : `${sent},*.${sent}`
}

/** Entries in angle brackets are Chromium's own words, one of which takes loopback through the proxy. */
const bypassRules = (list: string): string =>
  list
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '' && !/[<>]/.test(entry))
    .map(bypassRule)
    .join(',')

export type EnvironmentProxy =
  | { readonly kind: 'proxy'; readonly address: ProxyAddress; readonly config: ProxyConfig }
  /** A variable whose value is no address of a proxy. */
  | { readonly kind: 'malformed'; readonly variable: string }

/** Through this proxy, except for loopback, which Chromium leaves out by itself, and `exceptions`, as in NO_PROXY. */
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
