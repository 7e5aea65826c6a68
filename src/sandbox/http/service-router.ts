import { type Context, Hono } from 'hono'
import type { Cloud } from '../cloud/cloud'
import type { Authentication } from './authentication'
import { docsPage } from './docs-page'
import type { Endpoint } from './endpoint'
import { errorResponse } from './error-response'
import type { Faults } from './faults'
import { mountEndpoints, type HttpEnvironment } from './mount-endpoints'
import { openApiDocument } from './openapi'
import type { RequestLog } from './request-log'

/** Path of the service below its host and port. */
export const basePath = '/api/v1'

export interface ServiceDeps {
  /** Whether to offer the extensions of the specification and the API reference. */
  readonly extensions: boolean
  readonly cloud: Cloud
  readonly endpoints: readonly Endpoint[]
  readonly authentication: Authentication
  readonly faults: Faults
  readonly requests: RequestLog
}

/** Creates the service of api-spec.md and its API reference, for the base path. */
export function createServiceRouter(deps: ServiceDeps) {
  const { cloud, extensions, authentication, faults, requests } = deps
  const endpoints = deps.endpoints.filter(({ extension }) => extensions || extension !== true)
  const service = new Hono<HttpEnvironment>()
  service.use(async (context, next) => {
    context.set('credential', 'none')
    cloud.completeTransitions()
    await next()
    requests.add({
      time: cloud.now(),
      method: context.req.method,
      path: context.req.path,
      query: new URL(context.req.url).search,
      status: context.res.status,
      credential: context.get('credential'),
    })
  })
  service.use(faults.middleware)
  const authorize = async (context: Context<HttpEnvironment>): Promise<void> => {
    const { req } = context
    context.set(
      'credential',
      await authentication.verify(req.header('authorization'), req.header('refresh-token')),
    )
  }
  mountEndpoints(service, endpoints, authorize, extensions)
  service.onError((error, context) => errorResponse(context, error))
  if (!extensions) return service
  service.get('/openapi.json', (context) =>
    // Uses the port of the socket, because the client sets the Host header.
    context.json(
      openApiDocument(endpoints, `http://127.0.0.1:${context.env.incoming.socket.localPort}${basePath}`),
    ),
  )
  service.get('/docs', (context) => {
    context.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
    return context.html(docsPage(endpoints))
  })
  return service
}
