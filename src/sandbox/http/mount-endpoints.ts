import type { Context, Hono } from 'hono'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { ApiError } from '../api-error'
import type { Credential } from './authentication'
import { readJson } from './body'
import { hasContent, type Endpoint } from './endpoint'

/** Hono's environment with Node's request and response, and the credential of the request. */
export interface HttpEnvironment {
  Bindings: HttpBindings | Http2Bindings
  Variables: { credential: Credential | 'none' }
}

const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Routes every endpoint and wraps its result in the envelope of api-spec.md §1. Other methods of a path answer 405; if
 * `methodNotAllowed` is false, they answer like an unknown path. `authorize` throws ApiError and runs before the request
 * is read.
 */
export function mountEndpoints(
  application: Hono<HttpEnvironment>,
  endpoints: readonly Endpoint[],
  authorize: (context: Context<HttpEnvironment>) => void | Promise<void>,
  methodNotAllowed = true,
): void {
  const refuseMethod = (context: Context<HttpEnvironment>, methods: readonly string[]): never => {
    context.header('Allow', methods.join(', '))
    throw new ApiError(
      'method-not-allowed',
      `${context.req.method} is not offered here; the path has ${methods.join(', ')}`,
    )
  }
  for (const endpoint of endpoints) {
    const hasBody = hasContent(endpoint.body)
    application.on(endpoint.method, routePath(endpoint.path), async (context) => {
      // Hono routes HEAD to the handler of GET.
      if (endpoint.unsafe === true && context.req.method === 'HEAD') refuseMethod(context, [endpoint.method])
      if (endpoint.public !== true) await authorize(context)
      const result = await endpoint.handle({
        param: (name) => context.req.param(name) ?? '',
        query: context.req.query(),
        body: hasBody ? await readJson(context.req.raw) : undefined,
      })
      return context.json({ status: true, ...result })
    })
  }
  if (!methodNotAllowed) return
  for (const [path, methods] of methodsByPath(endpoints)) {
    application.all(routePath(path), (context) => refuseMethod(context, methods))
  }
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
