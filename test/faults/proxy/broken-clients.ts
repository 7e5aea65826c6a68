import { z } from 'zod'
import type { ServiceHttp } from '../../../src/main/service/http'
import type { Breakage } from './client'

/** A schema that accepts any input. */
const trusted = <Data>(): z.ZodType<Data> => z.custom<Data>(() => true)

const trusting = (http: ServiceHttp): ServiceHttp => ({
  get: (path, _schema, options) => http.get(path, trusted(), options),
  list: (path, _item, options) => http.list(path, trusted(), options),
  page: (path, page, _item, signal, capability) => http.page(path, page, trusted(), signal, capability),
  send: (method, path, body, _schema) => http.send(method, path, body, trusted()),
})

const repeating =
  (real: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      const answer = await real(input, init)
      return answer.status < 500 ? answer : await real(input, init)
    } catch {
      return real(input, init)
    }
  }

/** Fails forever after one failure. */
const givingUp = (real: typeof fetch): typeof fetch => {
  let failed: Error | undefined
  return async (input, init) => {
    if (failed !== undefined) throw failed
    try {
      return await real(input, init)
    } catch (error) {
      failed = error instanceof Error ? error : new Error('it failed')
      throw error
    }
  }
}

/** Waits for the whole answer, however slow and large it is. */
const boundless =
  (real: typeof fetch): typeof fetch =>
  async (input, init) => {
    const { status } = await real(input, init).then(async (answer) => {
      await answer.arrayBuffer()
      return answer
    })
    return new Response('{"status":true,"data":[]}', { status })
  }

const following =
  (real: typeof fetch): typeof fetch =>
  (input, init) =>
    real(input, { ...init, redirect: 'follow' })

/** Deliberately broken clients, each with the cell that must detect it, and the expected problem. */
export const brokenClients: Readonly<
  Record<
    string,
    { readonly broken: Breakage; readonly fault: string; readonly call: string; readonly notices: string }
  >
> = {
  'repeats a change after a reset': {
    broken: { fetch: repeating },
    fault: 'reset after acting',
    call: 'machines.create',
    notices: 'the service acted on the change twice',
  },
  'repeats what failed with 503': {
    broken: { fetch: repeating },
    fault: 'HTTP 503',
    call: 'images.list',
    notices: '×2, expected',
  },
  'follows redirects with its credentials': {
    broken: { fetch: following },
    fault: 'redirect',
    call: 'volumes.attach',
    notices: 'another host was asked',
  },
  'trusts the types of what came': {
    broken: { http: trusting },
    fault: 'wrong types',
    call: 'machines.get',
    notices: 'expected unexpected-answer',
  },
  'trusts a text for a record': {
    broken: { http: trusting },
    fault: 'text for data',
    call: 'apiTokens.update',
    notices: 'expected unexpected-answer',
  },
  'reads answers of any size': {
    broken: { fetch: boundless },
    fault: '50 MB body',
    call: 'regions.list',
    notices: 'expected unexpected-answer',
  },
  'never recovers': {
    broken: { fetch: givingUp },
    fault: 'refused',
    call: 'billing.usage',
    notices: 'not recovered',
  },
}
