import { z } from 'zod'
import { ApiToken, ApiTokenChange } from '#shared/service/api-token'
import { unknown } from '../../refusal'
import type { Secrets } from '../../secrets'
import type { ApiTokenRecord } from '../../world/state'
import type { World } from '../../world/world'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { PageParameters } from '../list-query'
import { selectPage, type ListFields } from '../select'

const tag = 'API tokens'

const fields: ListFields = {
  id: 'string',
  name: 'string',
  description: 'string',
  created_at: 'number',
  last_used: 'number',
}

const view = (token: ApiTokenRecord, secrets: Secrets) => ({
  id: token.id,
  name: token.name,
  description: token.description,
  token: secrets.apiToken(token.id),
  created_at: token.createdTime,
})

export const apiTokenEndpoints = (world: World, secrets: Secrets): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/api-tokens',
      tag,
      summary: 'List API tokens',
      description: 'last_used 0 means never.',
      query: PageParameters,
      body: noBody,
      data: z.array(ApiToken),
      paginated: true,
    },
    ({ query }) => {
      const items = [...world.apiTokens.values()].filter((token) => !token.revoked)
      const listed = (token: ApiTokenRecord) => ({ ...view(token, secrets), last_used: token.lastUsed })
      return { message: 'API tokens', ...selectPage({ items, view: listed, fields }, query) }
    },
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/api-tokens/{id}',
      tag,
      summary: 'Rename an API token',
      query: noQuery,
      body: ApiTokenChange,
      data: ApiToken,
    },
    ({ param, body }) => {
      const token = world.apiTokens.get(param('id'))
      if (token === undefined || token.revoked) throw unknown('id', 'API token')
      token.name = body.name
      token.description = body.description ?? token.description
      world.changed()
      return { message: 'API token updated', data: view(token, secrets) }
    },
  ),
]
