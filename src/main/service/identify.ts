import { z } from 'zod'
import type { RawAnswer } from './answer'
import { pageParameters } from './http'
import { parseJson } from './parse-json'
import { send, type Transport } from './transport'

/** The one field that every answer of the service has. */
const AnyEnvelope = z.looseObject({ status: z.boolean() })

/** What an address is by its answer to a request without credentials. */
type Identity = 'service' | 'web-page' | 'other'

/**
 * Sorts an answer to a request without credentials. The service answers with its envelope (api-spec.md §1: a boolean
 * `status`) at any HTTP status, or refuses with 401 or 403. Pure.
 */
function identityOf({ status, contentType, text }: RawAnswer): Identity {
  if (status === 401 || status === 403) return 'service'
  if (AnyEnvelope.safeParse(parseJson(text)?.json).success) return 'service'
  return /\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(text) ? 'web-page' : 'other'
}

/** Sends a harmless read without credentials, to learn what answers there. Fails with the kinds of `send`. */
export const identify = async (transport: Transport, baseUrl: string): Promise<Identity> =>
  identityOf(
    await send(transport, {
      baseUrl,
      method: 'GET',
      path: '/virtual-machines',
      query: pageParameters({ limit: 1 }),
    }),
  )
