import { ApiToken, type ApiTokenChange, createdApiToken, type NewApiToken } from '#shared/service/api-token'
import type { PageQuery } from '#shared/service/page'
import { nothing, type ServiceHttp } from './http'
import { seg } from './path-segment'

/**
 * API tokens (api-spec.md §4; creating and deleting: service-extensions.md). They hold their secret value and never
 * cross the bridge. The list takes no filters.
 */
export const apiTokens = (http: ServiceHttp) => ({
  list: (page: Omit<PageQuery, 'filters'>, signal?: AbortSignal) =>
    http.page('/api-tokens', page, ApiToken, signal),
  update: (id: string, change: ApiTokenChange) =>
    http.send('PUT', `/api-tokens/${seg(id)}`, change, ApiToken),
  create: (token: NewApiToken) => http.send('POST', '/api-tokens', token, createdApiToken(token)),
  remove: (id: string) => http.send('DELETE', `/api-tokens/${seg(id)}`, undefined, nothing),
})
