import { notFound } from '../../api-error'
import { requireCredit } from '../../billing/fees'
import { createBareMetal } from '../../cloud/bare-metal'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { bareMetalView } from '../machine-view'
import { BareMetalInstance, CreatedInstance, NewBareMetalInstance } from '../schemas/machines'

const tag = 'Bare metal'

export const bareMetalEndpoints = (cloud: Cloud): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/bare-metal/instances',
      tag,
      summary: 'Create a bare metal instance',
      description: 'image_id and flavor_id must be from the same region.',
      query: noQuery,
      body: NewBareMetalInstance,
      data: CreatedInstance,
      errors: ['payment-required', 'not-found', 'conflict'],
    },
    ({ body }) => {
      requireCredit(cloud)
      const { id, name } = createBareMetal(cloud, body)
      return { message: 'The bare metal instance is being created', data: { name, id } }
    },
  ),
  endpoint(
    {
      method: 'GET',
      path: '/bare-metal/instances/{id}',
      tag,
      summary: 'Show a bare metal instance',
      query: noQuery,
      body: noBody,
      data: BareMetalInstance,
    },
    ({ param }) => {
      const instance = cloud.bareMetal.get(param('id'))
      if (instance === undefined) throw notFound('id', 'bare metal instance')
      return { message: 'Bare metal instance', data: bareMetalView(instance) }
    },
  ),
]
