import type { Failure } from '#shared/failure'

type ProxyProblem = Extract<Failure, { kind: 'proxy' }>['problem']

const problems: Readonly<Record<string, ProxyProblem>> = {
  ERR_PROXY_CONNECTION_FAILED: 'unreachable',
  ERR_SOCKS_CONNECTION_FAILED: 'unreachable',
  ERR_SOCKS_CONNECTION_HOST_UNREACHABLE: 'refused',
  // Whatever answers CONNECT with anything but 200: a rule of the proxy's, or a network that wants a sign-in first.
  ERR_TUNNEL_CONNECTION_FAILED: 'refused',
  ERR_PROXY_AUTH_REQUESTED: 'sign-in',
  ERR_PROXY_AUTH_UNSUPPORTED: 'sign-in',
  ERR_PROXY_CERTIFICATE_INVALID: 'certificate',
  ERR_PAC_SCRIPT_FAILED: 'script',
  ERR_MANDATORY_PROXY_CONFIGURATION_FAILED: 'script',
  ERR_NO_SUPPORTED_PROXIES: 'script',
}

/** What is wrong with the proxy, by Chromium's code; undefined where it is something else. Nothing was sent. */
export const proxyProblem = (code: string | undefined): ProxyProblem | undefined =>
  code === undefined ? undefined : problems[code]

/** The first proxy of a list as `session.resolveProxy` answers it: "PROXY host:port; DIRECT". Empty: none. */
export const firstProxy = (list: string): string =>
  /^\s*(?:PROXY|HTTPS|SOCKS[45]?)\s+([^;\s]+)/i.exec(list)?.[1] ?? ''
