import { ApiToken, type ApiTokenChange } from '#shared/service/api-token'
import type { PageQuery } from '#shared/service/page'
import type { ServiceHttp } from './http'
import { seg } from './segment'

/** API tokens (api-spec.md §4). They carry their secret value: they never cross the bridge as they are. The list takes no filters. */
export const apiTokens = (http: ServiceHttp) => ({
  list: (page: Omit<PageQuery, 'filters'>, signal?: AbortSignal) =>
    http.page('/api-tokens', page, ApiToken, signal),
  update: (id: string, change: ApiTokenChange) =>
    http.send('PUT', `/api-tokens/${seg(id)}`, change, ApiToken),
})
