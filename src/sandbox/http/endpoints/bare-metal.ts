import { BareMetalInstance, NewBareMetalInstance } from '#shared/service/bare-metal'
import { CreatedMachine } from '#shared/service/machine'
import { unknown } from '../../api-error'
import { createBareMetal } from '../../cloud/bare-metal'
import type { World } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { bareMetalView } from '../machine-representation'

const tag = 'Bare metal'

export const bareMetalEndpoints = (world: World): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/bare-metal/instances',
      tag,
      summary: 'Create a bare metal instance',
      description: 'image_id and flavor_id must be from the same region.',
      query: noQuery,
      body: NewBareMetalInstance,
      data: CreatedMachine,
    },
    ({ body }) => {
      const { id, name } = createBareMetal(world, body)
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
      const instance = world.bareMetal.get(param('id'))
      if (instance === undefined) throw unknown('id', 'bare metal instance')
      return { message: 'Bare metal instance', data: bareMetalView(instance) }
    },
  ),
]
