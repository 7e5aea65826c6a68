import { type Context, Hono } from 'hono'
import type { Faults } from './faults'
import type { RequestLog } from './request-log'
import type { World } from '../cloud/cloud'
import type { Authentication } from './authentication'
import { basePath } from './base-path'
import { docsPage } from './docs-page'
import type { Endpoint } from './endpoint'
import type { ServiceEnvironment } from './environment'
import { mountEndpoints } from './mount-endpoints'
import { openApiDocument } from './openapi'
import { refusalAnswer } from './error-response'

export interface ServiceParts {
  /** Whether it offers anything beyond the specification, its own description included. */
  readonly extensions: boolean
  readonly world: World
  readonly endpoints: readonly Endpoint[]
  readonly authentication: Authentication
  readonly faults: Faults
  readonly requests: RequestLog
}

/** The service of api-spec.md, to be mounted at the base path, with its own description. */
export function createService(parts: ServiceParts) {
  const { world, extensions, authentication, faults, requests } = parts
  const endpoints = parts.endpoints.filter(({ extension }) => extensions || extension !== true)
  const service = new Hono<ServiceEnvironment>()
  service.use(async (context, next) => {
    context.set('credential', 'none')
    world.settle()
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
  const admit = async (context: Context<ServiceEnvironment>): Promise<void> => {
    const { req } = context
    context.set(
      'credential',
      await authentication.check(req.header('authorization'), req.header('refresh-token')),
    )
  }
  mountEndpoints(service, endpoints, admit, extensions)
  service.onError((error, context) => refusalAnswer(context, error))
  if (!extensions) return service
  service.get('/openapi.json', (context) =>
    context.json(openApiDocument(endpoints, new URL(basePath, context.req.url).href)),
  )
  service.get('/docs', (context) => {
    context.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
    return context.html(docsPage(endpoints))
  })
  return service
}
