import {
  app,
  type AuthInfo,
  type Certificate,
  type ClientRequest,
  net,
  type Session,
  session,
} from 'electron'
import { FailureError } from '#shared/failure'
import type { NetworkAccess } from '../network-access/index'
import type { ProxyCredential } from '../network-access/proxy-config'
import { firstProxy, proxyProblem } from '../network-access/proxy-failure'
import { networkErrorCode } from '../service/network-failure'
import type { FreshFetch } from '../service/transport'
import { answerTo } from './service-answer'

type Access = Pick<NetworkAccess, 'config' | 'credentials' | 'vouchesFor' | 'onRouteChange'>

/**
 * Never sends a client certificate: accounts hold the credentials. Without this listener Electron 44 and newer present
 * the first certificate of the system's store.
 */
export function refuseClientCertificates(): void {
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault()
    choose()
  })
}

/** Bounds a chain whose issuers form a loop. */
const maxChainLength = 8

const chainOf = (certificate: Certificate): readonly string[] => {
  const chain: string[] = []
  for (
    let current: Certificate | undefined = certificate;
    current && chain.length < maxChainLength;
    current = current.issuerCert
  )
    chain.push(current.data)
  return chain
}

/** Returns the credentials for a proxy's challenge, or null. Challenges of servers get none. */
const credentialOf = async (
  access: Access | undefined,
  { isProxy, host, port, realm }: AuthInfo,
  tried: ProxyCredential | null,
): Promise<ProxyCredential | null> =>
  (isProxy && (await access?.credentials({ proxy: `${host}:${port}`, realm, tried }))) || null

function answerChallenges(
  request: ClientRequest,
  access: Access | undefined,
): { refusedBy(): string | null } {
  let tried: ProxyCredential | null = null
  let refusedBy: string | null = null
  request.on('login', (challenge, send) => {
    void credentialOf(access, challenge, tried).then((credential) => {
      tried = credential
      if (credential) send(credential.username, credential.password)
      else {
        if (challenge.isProxy) refusedBy = `${challenge.host}:${challenge.port}`
        send()
      }
    })
  })
  return { refusedBy: () => refusedBy }
}

/** Sends one request through Chromium. Rejects with Chromium's codes or a proxy failure. */
function ask(
  transport: Session,
  access: Access | undefined,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const request = net.request({
    url,
    session: transport,
    method: init.method ?? 'GET',
    redirect: 'manual',
    credentials: 'omit',
    useSessionCookies: false,
    cache: 'no-store',
  })
  const challenges = answerChallenges(request, access)
  for (const [name, value] of new Headers(init.headers)) request.setHeader(name, value)
  const answer = answerTo(request, init.signal, async (error) => {
    const refusedBy = challenges.refusedBy()
    const problem = refusedBy === null ? proxyProblem(networkErrorCode(error)) : 'sign-in'
    if (problem === undefined) return error
    const { host } = new URL(url)
    const proxy = refusedBy ?? firstProxy(await transport.resolveProxy(url))
    return new FailureError({ kind: 'proxy', problem, proxy, host }, true)
  })
  if (init.signal?.aborted !== true) request.end(typeof init.body === 'string' ? init.body : undefined)
  return answer
}

/**
 * Creates the `fetch` for the GPU cloud on Chromium's network stack, which applies the system's proxy and certificates.
 * Its sessions store neither cookies nor a cache on disk.
 */
export function createServiceNetwork() {
  let access: Access | undefined
  let generation = 0
  let shared: Promise<Session> | undefined
  let idle: Session[] = []
  let sessionCount = 0
  const refusedHosts = new WeakMap<Session, Set<string>>()

  /** Applies the user's proxy and added certificate authorities to a session. */
  async function configure(target: Session): Promise<Session> {
    target.setCertificateVerifyProc(({ hostname, certificate, verificationResult }, answer) => {
      const isUnknown = verificationResult === 'net::ERR_CERT_AUTHORITY_INVALID'
      const isVouchedFor = isUnknown && access?.vouchesFor(hostname, chainOf(certificate)) === true
      if (isUnknown && !isVouchedFor)
        refusedHosts.set(target, (refusedHosts.get(target) ?? new Set<string>()).add(hostname))
      answer(isVouchedFor ? 0 : -3)
    })
    await target.setProxy((await access?.config()) ?? { mode: 'system' })
    // Awaits the network service: earlier requests might still use the system's settings.
    await target.resolveProxy('https://localhost')
    await target.forceReloadProxyConfig()
    return target
  }

  /** Opens a new session. Chromium caches certificate verdicts and sign-ins for the lifetime of a session. */
  const open = (): Promise<Session> =>
    configure(session.fromPartition(`service-${(sessionCount += 1)}`, { cache: false }))

  /**
   * Wraps a session as `fetch`. Chromium occasionally refuses a server without calling the verify procedure, early in a
   * session. Nothing was sent then, so the request is repeated in the session that `replace` returns.
   */
  const through =
    (transport: () => Promise<Session>, replace: (used: Session) => Promise<Session>): typeof fetch =>
    async (input, init = {}) => {
      const url = input instanceof Request ? input.url : String(input)
      const used = await transport()
      return ask(used, access, url, init).catch(async (error: unknown) => {
        const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
        const isOurs = refusedHosts.get(used)?.has(host) === true
        if (networkErrorCode(error) !== 'ERR_CERT_AUTHORITY_INVALID' || isOurs) throw error
        return ask(await replace(used), access, url, init)
      })
    }

  const openShared = (): Promise<Session> => {
    const opening = (shared = open())
    // A failure, such as an unreachable PAC file, is not cached: the next request tries again.
    opening.catch(() => {
      if (shared === opening) shared = undefined
    })
    return opening
  }

  return {
    configure,
    /** Returns the credentials for a proxy's challenge, or null. May wait for the user. */
    credentials: (challenge: AuthInfo, tried: ProxyCredential | null) =>
      credentialOf(access, challenge, tried),
    fetch: through(
      () => shared ?? openShared(),
      async (used) => {
        const now = await (shared ?? openShared())
        return now === used ? openShared() : now
      },
    ),
    /**
     * Returns a `fetch` for requests that must not be sent twice, on a connection that was never used. Chromium repeats
     * any request, whatever its method, when a reused connection breaks without an answer.
     */
    async freshFetch(): Promise<FreshFetch> {
      const startGeneration = generation
      let fresh = idle.pop() ?? (await open())
      await fresh.closeAllConnections()
      return {
        fetch: through(
          () => Promise.resolve(fresh),
          async () => (fresh = await open()),
        ),
        done: () => void (startGeneration === generation && idle.push(fresh)),
      }
    },
    use(next: Access): void {
      access = next
      const renew = (): void => {
        generation += 1
        shared = undefined
        idle = []
      }
      next.onRouteChange(renew)
      renew()
    },
  }
}
