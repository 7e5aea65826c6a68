import type { z } from 'zod'
import { ApiToken, type ApiTokenChange, type NewApiToken } from '#shared/service/api-token'
import type { PageQuery } from '#shared/service/page'
import { nothing, type ServiceHttp } from './http'
import { seg } from './segment'

/** Of a new token whatever else is odd must not cost its value, which may be reported this once only. */
const createdToken = (sent: NewApiToken): z.ZodType<ApiToken> =>
  ApiToken.extend({
    name: ApiToken.shape.name.catch(sent.name),
    description: ApiToken.shape.description.catch(sent.description),
    created_at: ApiToken.shape.created_at.catch(undefined),
    last_used: ApiToken.shape.last_used.catch(undefined),
  })

/** API tokens (api-spec.md §4; creating and deleting: service-extensions.md). They carry their secret value: they never cross the bridge as they are. The list takes no filters. */
export const apiTokens = (http: ServiceHttp) => ({
  list: (page: Omit<PageQuery, 'filters'>, signal?: AbortSignal) =>
    http.page('/api-tokens', page, ApiToken, signal),
  update: (id: string, change: ApiTokenChange) =>
    http.send('PUT', `/api-tokens/${seg(id)}`, change, ApiToken),
  create: (token: NewApiToken) => http.send('POST', '/api-tokens', token, createdToken(token)),
  remove: (id: string) => http.send('DELETE', `/api-tokens/${seg(id)}`, undefined, nothing),
})
