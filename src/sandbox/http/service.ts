import type { Bindings } from './bindings'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Faults } from '../control/faults'
import type { RequestLog } from '../control/request-log'
import { Refusal } from '../refusal'
import type { World } from '../world/world'
import type { Authentication, Credential } from './authentication'
import type { Endpoint } from './endpoint'
import { envelope } from './envelope'
import { refusalAnswer } from './refusal-answer'

/** Bytes that a request body may have. */
export const maximumBody = 1_000_000

export interface ServiceParts {
  readonly world: World
  readonly endpoints: readonly Endpoint[]
  readonly authentication: Authentication
  readonly faults: Faults
  readonly requests: RequestLog
}

export interface ServiceEnvironment {
  Bindings: Bindings
  Variables: { credential: Credential | 'none' }
}

/** The service of api-spec.md as an application, to be mounted at the base path. */
export function createService({ world, endpoints, authentication, faults, requests }: ServiceParts) {
  const service = new Hono<ServiceEnvironment>()
  service.use(async (context, next) => {
    context.set('credential', 'none')
    await next()
    requests.add({
      time: world.now(),
      method: context.req.method,
      path: context.req.path,
      query: new URL(context.req.url).search,
      status: context.res.status,
      credential: context.get('credential'),
    })
  })
  service.use(faults.middleware)
  service.use(
    bodyLimit({
      maxSize: maximumBody,
      onError: () => {
        throw new Refusal('too-large', 'the request body must not be larger than 1 MB')
      },
    }),
  )
  for (const endpoint of endpoints) {
    service.on(endpoint.method, routePath(endpoint.path), async (context) => {
      if (endpoint.open !== true) {
        const { req } = context
        const credential = await authentication.check(
          req.header('authorization'),
          req.header('refresh-token'),
        )
        context.set('credential', credential)
      }
      world.settle()
      const answer = await endpoint.answer({
        param: (name) => context.req.param(name) ?? '',
        query: context.req.query(),
        body:
          endpoint.method === 'POST' || endpoint.method === 'PUT'
            ? parseBody(await context.req.text())
            : undefined,
      })
      return context.json(envelope(answer))
    })
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    service.all(routePath(path), (context) => {
      context.header('Allow', methods.join(', '))
      throw new Refusal(
        'method',
        `${context.req.method} is not offered here; the path has ${methods.join(', ')}`,
      )
    })
  }
  service.onError((error, context) => refusalAnswer(context, error))
  return service
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
  } catch {
    throw new Refusal('invalid', 'the request body must be JSON')
  }
}
