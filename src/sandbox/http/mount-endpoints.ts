import type { Context, Hono } from 'hono'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { ApiError } from '../api-error'
import type { Credential } from './authentication'
import { readJson } from './body'
import type { Endpoint } from './endpoint'

/** Hono's environment: Node's request and response, and the credential that authenticated the request. */
export interface HttpEnvironment {
  Bindings: HttpBindings | Http2Bindings
  Variables: { credential: Credential | 'none' }
}

/**
 * Routes every endpoint, with its result in the envelope of api-spec.md §1. Other methods of its path answer 405, or
 * with `methodNotAllowed` false the same as an unknown path. `authorize` throws ApiError; it runs before the request
 * is read.
 */
export function mountEndpoints(
  application: Hono<HttpEnvironment>,
  endpoints: readonly Endpoint[],
  authorize: (context: Context<HttpEnvironment>) => void | Promise<void>,
  methodNotAllowed = true,
): void {
  for (const endpoint of endpoints) {
    const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
    application.on(endpoint.method, routePath(endpoint.path), async (context) => {
      if (endpoint.public !== true) await authorize(context)
      const result = await endpoint.handle({
        param: (name) => context.req.param(name) ?? '',
        query: context.req.query(),
        body: hasBody ? await readJson(context.req.raw.body) : undefined,
      })
      return context.json({ status: true, ...result })
    })
  }
  if (!methodNotAllowed) return
  for (const [path, methods] of methodsByPath(endpoints)) {
    application.all(routePath(path), (context) => {
      context.header('Allow', methods.join(', '))
      throw new ApiError(
        'method-not-allowed',
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
