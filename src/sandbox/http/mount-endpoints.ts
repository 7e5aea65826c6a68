import type { Context, Hono } from 'hono'
import { Refusal } from '../api-error'
import { readJson } from './body'
import type { ServiceEnvironment } from './environment'
import type { Endpoint } from './endpoint'

/**
 * Routes every endpoint to its answer, in the envelope of api-spec.md §1, and what its path does not offer to a
 * refusal: with `namesMethods`, one that names the methods that its path has, else one that knows no such path. `admit` throws Refusal for a sender who may not ask; it runs before anything of the request is read.
 */
export function mountEndpoints(
  application: Hono<ServiceEnvironment>,
  endpoints: readonly Endpoint[],
  admit: (context: Context<ServiceEnvironment>) => void | Promise<void>,
  namesMethods = true,
): void {
  for (const endpoint of endpoints) {
    const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
    application.on(endpoint.method, routePath(endpoint.path), async (context) => {
      if (endpoint.open !== true) await admit(context)
      const answer = await endpoint.answer({
        param: (name) => context.req.param(name) ?? '',
        query: context.req.query(),
        body: hasBody ? await readJson(context.req.raw.body) : undefined,
      })
      return context.json({ status: true, ...answer })
    })
  }
  if (!namesMethods) return
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
