import { Balance, BalanceRecord, Statement, Usage } from '#shared/service/billing'
import type { PageQuery } from '#shared/service/page'
import { compiledWhenUsed } from './compiled-schema'
import type { ServiceHttp } from './http'
import { readRecords } from './read-records'

const ListedStatement = compiledWhenUsed(Statement)
const ListedUsage = compiledWhenUsed(Usage)

/** Charges and usage per resource (api-spec.md §4). The balance is a capability (service-extensions.md). */
export const billing = (http: ServiceHttp) => ({
  statements: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/statements', page, ListedStatement, signal),
  usage: (page: PageQuery, signal?: AbortSignal) =>
    http.page('/billing/resources/usage', page, ListedUsage, signal),
  /** Omits currencies without an amount. Fails with not-offered-by-service. */
  async balance(signal?: AbortSignal) {
    const { available } = await http.get('/billing/balance', Balance, { signal, capability: 'balance' })
    const reported = Object.entries(available).filter(([, amount]) => amount !== null)
    const records = reported.map(([currency, amount]) => ({ currency, amount }))
    return readRecords(records, BalanceRecord)
  },
})
