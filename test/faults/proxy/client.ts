import { createRequestHold } from '../../../src/main/accounts/request-hold'
import { createSession } from '../../../src/main/accounts/session'
import { createHttp, type ServiceHttp } from '../../../src/main/service/http'
import { createService, type Service } from '../../../src/main/service/index'
import { shortPauseSeconds } from '../../../src/main/service/retry-after'
import type { SessionTokens, WireCredential } from '../../../src/main/service/login'
import { type Transport, defaultLimits } from '../../../src/main/service/transport'
import { fakeClock } from '../../fixtures/fake-clock'
import type { CellWay, FaultProxy } from './fault-proxy'

/** Deliberate defects of a client. */
export interface Breakage {
  readonly fetch?: (real: typeof fetch) => typeof fetch
  readonly http?: (real: ServiceHttp) => ServiceHttp
}

export interface ClientDeps {
  readonly proxy: FaultProxy
  readonly way: CellWay
  readonly wireCredential: WireCredential
  readonly tokens: SessionTokens
  readonly broken?: Breakage
}

/** The application's client with its own session, connected to one path of the proxy. */
export function createClient({ proxy, way, wireCredential, tokens, broken = {} }: ClientDeps) {
  const clock = fakeClock(Date.now() / 1000)
  /** Requests that the client sent, as "POST /volumes". */
  const sent: string[] = []
  const network: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    sent.push(`${init?.method ?? 'GET'} ${new URL(url.replace(way.baseUrl, 'http://service')).pathname}`)
    return fetch(proxy.route(url, way.fault), init)
  }
  const transport: Transport = {
    fetch: broken.fetch ? broken.fetch(network) : network,
    online: () => true,
    now: clock.now,
    // All calls of a fault are sent at once, which takes longer than one of them, unless its duration is the fault.
    get timeoutSeconds() {
      return way.fault?.timeLimit ?? defaultLimits.timeoutSeconds * 2
    },
    get maxAnswerBytes() {
      return way.fault?.sizeLimit ?? defaultLimits.maxAnswerBytes
    },
  }
  const hold = createRequestHold(
    {
      now: clock.now,
      // Short pauses end immediately; longer ones wait until the clock is set.
      after(seconds, run) {
        const cancel = clock.after(seconds, run)
        if (seconds > shortPauseSeconds) return cancel
        const due = setImmediate(() => clock.advance(seconds))
        return () => {
          clearImmediate(due)
          cancel()
        }
      },
    },
    () => undefined,
  )
  const session = createSession({
    transport,
    hold,
    kept: () => Promise.resolve(undefined),
    firstPaint: () => Promise.resolve(),
    isTrusted: () => true,
    accepted: () => undefined,
    signsInAgain: () => true,
    changed: () => undefined,
  })
  const signedInWith = { baseUrl: way.baseUrl, wireCredential }
  session.adopt(signedInWith, tokens, true)
  const http = createHttp(transport, session.authorizer)
  const service: Service = createService(broken.http ? broken.http(http) : http)
  return { service, transport, session, hold, clock, sent, signedInWith }
}
export type Client = ReturnType<typeof createClient>
