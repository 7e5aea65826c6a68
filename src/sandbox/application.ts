import { Hono } from 'hono'
import { ApiError } from './api-error'
import { createControlApi, type ControlApiDeps } from './control-api/router'
import type { Authentication } from './http/authentication'
import { endpointsOf } from './http/endpoints/index'
import { errorResponse } from './http/error-response'
import type { HttpEnvironment } from './http/mount-endpoints'
import { basePath, createServiceRouter } from './http/service-router'

export interface ApplicationDeps extends ControlApiDeps {
  readonly extensions: boolean
  readonly authentication: Authentication
}

export function createApplication(deps: ApplicationDeps) {
  const application = new Hono<HttpEnvironment>()
  application.route(basePath, createServiceRouter({ ...deps, endpoints: endpointsOf(deps) }))
  application.route('/control', createControlApi(deps))
  application.notFound((context) =>
    errorResponse(context, new ApiError('not-found', `there is nothing at ${context.req.path}`)),
  )
  application.onError((error, context) => errorResponse(context, error))
  return application
}
