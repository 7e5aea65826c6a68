import { z } from 'zod'
import type { RawAnswer } from './answer'
import { pageParameters } from './http'
import { parseJson } from './parse-json'
import { send, type Transport } from './transport'

const AnyEnvelope = z.looseObject({ status: z.boolean() })

type Identity = 'service' | 'web-page' | 'other'

/**
 * Classifies an answer to a request without credentials. The service answers with its envelope (api-spec.md §1: a
 * boolean `status`) at any HTTP status, or with 401 or 403. Pure.
 */
function identityOf({ status, contentType, text }: RawAnswer): Identity {
  if (status === 401 || status === 403) return 'service'
  if (AnyEnvelope.safeParse(parseJson(text)?.json).success) return 'service'
  return /\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(text) ? 'web-page' : 'other'
}

/** Sends a read without credentials to identify an address. Fails with the kinds of `send`. */
export const identify = async (transport: Transport, baseUrl: string): Promise<Identity> =>
  identityOf(
    await send(transport, {
      baseUrl,
      method: 'GET',
      path: '/virtual-machines',
      query: pageParameters({ limit: 1 }),
    }),
  )
