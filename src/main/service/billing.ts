import { Statement, Usage } from '#shared/service/billing'
import type { PageQuery } from '#shared/service/page'
import type { ServiceHttp } from './http'

/** Charges and usage per resource (api-spec.md §4). */
export const billing = (http: ServiceHttp) => ({
  statements: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/statements', page, Statement, signal),
  usage: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/usage', page, Usage, signal),
})
