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
 * Gives no server a certificate of the person's: credentials are what the accounts hold. Since Electron 44 a request of
 * a session presents the first one of the system's store where nobody decides.
 */
export function refuseClientCertificates(): void {
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault()
    choose()
  })
}

const chainOf = (certificate: Certificate): readonly string[] => {
  const chain: string[] = []
  for (let one: Certificate | undefined = certificate; one && chain.length < 8; one = one.issuerCert)
    chain.push(one.data)
  return chain
}

/** What a challenge is answered with; null: nothing. Of a server's own none is answered: no credentials are sent. */
const credentialOf = async (
  access: Access | undefined,
  { isProxy, host, port, realm }: AuthInfo,
  tried: ProxyCredential | null,
): Promise<ProxyCredential | null> =>
  (isProxy && (await access?.credentials({ proxy: `${host}:${port}`, realm, tried }))) || null

/** Answers the challenges of proxies. */
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

/** One request through Chromium. Rejects with its codes, and with proxy failures. */
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
 * The `fetch` that reaches the GPU cloud: Chromium's network stack, so that the system's proxy and certificates count,
 * in sessions of their own that keep no cookies and no cache on disk.
 */
export function createServiceNetwork() {
  let access: Access | undefined
  let generation = 0
  let usual: Promise<Session> | undefined
  let idle: Session[] = []
  let made = 0
  /** Servers whose certificates were refused here. */
  const refused = new WeakMap<Session, Set<string>>()

  /** Through the person's proxy, and with the authorities that they have added. */
  async function configure(one: Session): Promise<Session> {
    one.setCertificateVerifyProc(({ hostname, certificate, verificationResult }, answer) => {
      const isUnknown = verificationResult === 'net::ERR_CERT_AUTHORITY_INVALID'
      const isVouchedFor = isUnknown && access?.vouchesFor(hostname, chainOf(certificate)) === true
      if (isUnknown && !isVouchedFor) refused.set(one, (refused.get(one) ?? new Set<string>()).add(hostname))
      answer(isVouchedFor ? 0 : -3)
    })
    await one.setProxy((await access?.config()) ?? { mode: 'system' })
    // Both reach the network service later: without its answer the first requests may go by the system's settings.
    await one.resolveProxy('https://localhost')
    await one.forceReloadProxyConfig()
    return one
  }

  /** Chromium keeps verdicts on certificates and sign-ins for as long as a session lives: each change has new ones. */
  const open = (): Promise<Session> =>
    configure(session.fromPartition(`service-${(made += 1)}`, { cache: false }))

  /**
   * Chromium refuses a server now and then without having asked us, in the first moments of a session. Nothing was sent
   * then, so that the request goes once more through what `replace` opens.
   */
  const through =
    (transport: () => Promise<Session>, replace: (used: Session) => Promise<Session>): typeof fetch =>
    async (input, init = {}) => {
      const url = input instanceof Request ? input.url : String(input)
      const used = await transport()
      return ask(used, access, url, init).catch(async (error: unknown) => {
        const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
        const isOurs = refused.get(used)?.has(host) === true
        if (networkErrorCode(error) !== 'ERR_CERT_AUTHORITY_INVALID' || isOurs) throw error
        return ask(await replace(used), access, url, init)
      })
    }

  const openUsual = (): Promise<Session> => {
    const opening = (usual = open())
    // Where it failed, as with a PAC file that is not there now, the next request tries again.
    opening.catch(() => {
      if (usual === opening) usual = undefined
    })
    return opening
  }

  return {
    configure,
    /** What a proxy's challenge is answered with; null: nothing. Waits for the person. */
    credentials: (challenge: AuthInfo, tried: ProxyCredential | null) =>
      credentialOf(access, challenge, tried),
    fetch: through(
      () => usual ?? openUsual(),
      async (used) => {
        const now = await (usual ?? openUsual())
        return now === used ? openUsual() : now
      },
    ),
    /**
     * The same for requests that must not be sent twice: each over a connection that was never used, because Chromium
     * sends a request again, whatever its method, when a used one breaks without an answer.
     */
    async freshFetch(): Promise<FreshFetch> {
      const madeIn = generation
      let own = idle.pop() ?? (await open())
      await own.closeAllConnections()
      return {
        fetch: through(
          () => Promise.resolve(own),
          async () => (own = await open()),
        ),
        done: () => void (madeIn === generation && idle.push(own)),
      }
    },
    /** From here on services are reached as `next` says. */
    use(next: Access): void {
      access = next
      const renew = (): void => {
        generation += 1
        usual = undefined
        idle = []
      }
      next.onRouteChange(renew)
      renew()
    },
  }
}
