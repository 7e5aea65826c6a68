import { z } from 'zod'
import { ApiToken, ApiTokenChange, NewApiToken } from '#shared/service/api-token'
import { unknown } from '../../api-error'
import type { Secrets } from '../../secrets'
import type { ApiTokenRecord } from '../../cloud/records'
import type { World } from '../../cloud/cloud'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../endpoint'
import { PageParameters } from '../list-parameters'
import { selectPage, type ListFields } from '../select-page'

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

function requireToken(world: World, id: string): ApiTokenRecord {
  const token = world.apiTokens.get(id)
  if (token === undefined || token.revoked) throw unknown('id', 'API token')
  return token
}

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
      const token = requireToken(world, param('id'))
      token.name = body.name
      token.description = body.description ?? token.description
      world.changed()
      return { message: 'API token updated', data: view(token, secrets) }
    },
  ),
  endpoint(
    {
      method: 'POST',
      path: '/api-tokens',
      tag,
      extension: true,
      summary: 'Create an API token',
      description: 'Beyond the specification.',
      query: noQuery,
      body: NewApiToken,
      data: ApiToken,
    },
    ({ body }) => {
      const token: ApiTokenRecord = {
        id: world.newId(),
        name: body.name,
        description: body.description ?? '',
        createdTime: world.now(),
        lastUsed: 0,
        revoked: false,
      }
      world.addApiToken(token)
      return { message: 'API token created', data: view(token, secrets) }
    },
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/api-tokens/{id}',
      tag,
      extension: true,
      summary: 'Delete an API token',
      description: 'Beyond the specification. It stops working at once.',
      query: noQuery,
      body: noBody,
      data: noData,
    },
    ({ param }) => {
      requireToken(world, param('id')).revoked = true
      world.changed()
      return { message: 'API token deleted' }
    },
  ),
]
