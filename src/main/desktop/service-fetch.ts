import { app, type Session, session } from 'electron'
import type { FreshFetch } from '../service/transport'

/**
 * Gives no server a certificate of the person's: credentials are what the accounts hold. Since Electron 44 a request of
 * `session.fetch` presents the first one of the system's store where nobody decides.
 */
export function refuseClientCertificates(): void {
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault()
    choose()
  })
}

const through =
  (transport: Session): typeof fetch =>
  (input, init) =>
    transport.fetch(input instanceof URL ? input.href : input, {
      ...init,
      credentials: 'omit',
      bypassCustomProtocolHandlers: true,
    })

/**
 * The `fetch` that reaches the GPU cloud: Chromium's network stack, so that the system's proxy and certificates count,
 * in a session of its own that keeps no cookies and no cache on disk.
 */
export const serviceFetch = (): typeof fetch => through(session.fromPartition('service', { cache: false }))

/**
 * The same for requests that must not be sent twice: each over a connection that was never used, because Chromium
 * sends a request again, whatever its method, when a used one breaks without an answer.
 */
export function freshServiceFetch(): () => Promise<FreshFetch> {
  const idle: Session[] = []
  let made = 0
  return async () => {
    made += idle.length === 0 ? 1 : 0
    const own = idle.pop() ?? session.fromPartition(`service-once-${made}`, { cache: false })
    await own.closeAllConnections()
    return { fetch: through(own), done: () => void idle.push(own) }
  }
}
