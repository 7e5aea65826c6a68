import { session } from 'electron'

/**
 * The `fetch` that reaches the GPU cloud: Chromium's network stack, so that the system's proxy and certificates count,
 * in a session of its own that keeps no cookies and no cache on disk.
 */
export function serviceFetch(): typeof fetch {
  const service = session.fromPartition('service', { cache: false })
  return (input, init) =>
    service.fetch(input instanceof URL ? input.href : input, {
      ...init,
      credentials: 'omit',
      bypassCustomProtocolHandlers: true,
    })
}
