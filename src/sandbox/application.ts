import { Hono } from 'hono'
import type { Books } from './billing/ledger'
import type { Clock } from './clock'
import { createControl } from './control-api/router'
import type { Faults } from './http/faults'
import type { RequestLog } from './http/request-log'
import { Refusal } from './api-error'
import type { Secrets } from './secrets'
import type { World } from './cloud/cloud'
import type { Authentication } from './http/authentication'
import { basePath } from './http/base-path'
import { endpointsOf } from './http/endpoints/index'
import type { ServiceEnvironment } from './http/environment'
import { refusalAnswer } from './http/error-response'
import { createService } from './http/service-router'

export interface ApplicationParts {
  readonly world: World
  readonly extensions: boolean
  readonly clock: Clock
  readonly secrets: Secrets
  readonly books: Books
  readonly authentication: Authentication
  readonly faults: Faults
  readonly requests: RequestLog
}

/** Everything that the sandbox answers over HTTP: the service below the base path, and the control surface beside it. */
export function createApplication(parts: ApplicationParts) {
  const application = new Hono<ServiceEnvironment>()
  const endpoints = endpointsOf(parts)
  application.route(basePath, createService({ ...parts, endpoints }))
  application.route('/control', createControl(parts))
  application.notFound((context) =>
    refusalAnswer(context, new Refusal('no-such-path', `there is nothing at ${context.req.path}`)),
  )
  application.onError((error, context) => refusalAnswer(context, error))
  return application
}
