import { Hono } from 'hono'
import type { Books } from '../books/books'
import type { Clock } from '../clock'
import { createControl } from '../control/control'
import type { Faults } from '../control/faults'
import type { RequestLog } from '../control/request-log'
import { Refusal } from '../refusal'
import type { Secrets } from '../secrets'
import type { World } from '../world/world'
import type { Authentication } from './authentication'
import { basePath } from './base-path'
import { endpointsOf } from './endpoints/index'
import type { ServiceEnvironment } from './environment'
import { refusalAnswer } from './refusal-answer'
import { createService } from './service'

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
