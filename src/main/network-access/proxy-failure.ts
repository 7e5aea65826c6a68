import type { Failure } from '#shared/failure'

type ProxyProblem = Extract<Failure, { kind: 'proxy' }>['problem']

const problems: Readonly<Record<string, ProxyProblem>> = {
  ERR_PROXY_CONNECTION_FAILED: 'unreachable',
  ERR_SOCKS_CONNECTION_FAILED: 'unreachable',
  ERR_SOCKS_CONNECTION_HOST_UNREACHABLE: 'refused',
  // CONNECT was not answered with 200: a rule of the proxy, or a network with its own sign-in page.
  ERR_TUNNEL_CONNECTION_FAILED: 'refused',
  ERR_PROXY_AUTH_REQUESTED: 'sign-in',
  ERR_PROXY_AUTH_UNSUPPORTED: 'sign-in',
  ERR_PROXY_CERTIFICATE_INVALID: 'certificate',
  ERR_PAC_SCRIPT_FAILED: 'script',
  ERR_MANDATORY_PROXY_CONFIGURATION_FAILED: 'script',
  ERR_NO_SUPPORTED_PROXIES: 'script',
}

/** Returns the problem of the proxy by Chromium's code; undefined for other errors. Nothing was sent. */
export const proxyProblem = (code: string | undefined): ProxyProblem | undefined =>
  code === undefined ? undefined : problems[code]

/** Returns the first proxy of a `session.resolveProxy` result: "PROXY host:port; DIRECT". Empty if there is none. */
export const firstProxy = (list: string): string =>
  /^\s*(?:PROXY|HTTPS|SOCKS[45]?)\s+([^;\s]+)/i.exec(list)?.[1] ?? ''
