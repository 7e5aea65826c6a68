import { z } from 'zod'
import { notFound } from '../../api-error'
import type { Secrets } from '../../secrets'
import type { ApiTokenRecord } from '../../cloud/records'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../endpoint'
import { PageParameters } from '../list-parameters'
import { ApiToken, ApiTokenChange, ListedApiToken, NewApiToken } from '../schemas/account'
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

function requireToken(cloud: Cloud, id: string): ApiTokenRecord {
  const token = cloud.apiTokens.get(id)
  if (token === undefined || token.revoked) throw notFound('id', 'API token')
  return token
}

export const apiTokenEndpoints = (cloud: Cloud, secrets: Secrets): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/api-tokens',
      tag,
      summary: 'List API tokens',
      description: 'last_used 0 means never.',
      query: PageParameters,
      body: noBody,
      data: z.array(ListedApiToken),
      paginated: true,
    },
    ({ query }) => {
      const items = [...cloud.apiTokens.values()].filter((token) => !token.revoked)
      const listed = (token: ApiTokenRecord) => ({ ...view(token, secrets), last_used: token.lastUsed })
      return { message: 'API tokens', ...selectPage({ items, view: listed, fields }, query) }
    },
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/api-tokens/{id}',
      tag,
      summary: 'Update an API token',
      description: 'A description that is absent is cleared.',
      query: noQuery,
      body: ApiTokenChange,
      data: ApiToken,
    },
    ({ param, body }) => {
      const token = requireToken(cloud, param('id'))
      token.name = body.name
      token.description = body.description ?? ''
      cloud.changed()
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
        id: cloud.newId(),
        name: body.name,
        description: body.description ?? '',
        createdTime: cloud.now(),
        lastUsed: 0,
        revoked: false,
      }
      cloud.addApiToken(token)
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
      requireToken(cloud, param('id')).revoked = true
      cloud.changed()
      return { message: 'API token deleted' }
    },
  ),
]
