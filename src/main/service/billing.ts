import { Balance, Statement, Usage } from '#shared/service/billing'
import type { PageQuery } from '#shared/service/page'
import type { ServiceHttp } from './http'

/** Charges and usage per resource (api-spec.md §4). The balance is a capability (service-extensions.md). */
export const billing = (http: ServiceHttp) => ({
  statements: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/statements', page, Statement, signal),
  usage: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/usage', page, Usage, signal),
  /** Fails with not-offered-by-service where the deployment lacks it. */
  balance: (signal?: AbortSignal) => http.get('/billing/balance', Balance, { signal, capability: 'balance' }),
})
