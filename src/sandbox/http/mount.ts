import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../refusal'
import type { ServiceEnvironment } from './environment'
import type { Endpoint } from './endpoint'

/** Bytes that a request body may have. */
export const maximumBody = 1_000_000

/**
 * Routes every endpoint to its answer, in the envelope of api-spec.md §1, and what its path does not offer to a
 * refusal. `admit` throws Refusal for a sender who may not ask; it runs before anything of the request is read.
 */
export function mountEndpoints(
  application: Hono<ServiceEnvironment>,
  endpoints: readonly Endpoint[],
  admit: (context: Context<ServiceEnvironment>) => void | Promise<void>,
): void {
  const limitBody = bodyLimit({
    maxSize: maximumBody,
    onError: () => {
      throw new Refusal('too-large', 'the request body must not be larger than 1 MB')
    },
  })
  for (const endpoint of endpoints) {
    const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
    application.on(endpoint.method, routePath(endpoint.path), limitBody, async (context) => {
      if (endpoint.open !== true) await admit(context)
      const answer = await endpoint.answer({
        param: (name) => context.req.param(name) ?? '',
        query: context.req.query(),
        body: hasBody ? parseBody(await context.req.text()) : undefined,
      })
      return context.json({ status: true, ...answer })
    })
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    application.all(routePath(path), (context) => {
      context.header('Allow', methods.join(', '))
      throw new Refusal(
        'method',
        `${context.req.method} is not offered here; the path has ${methods.join(', ')}`,
      )
    })
  }
}

const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid', 'the request body must be JSON', undefined, { cause: error })
  }
}
