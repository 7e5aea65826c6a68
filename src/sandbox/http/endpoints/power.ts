import { requireMachine } from '../../cloud/machines'
import { changePower, powerCalls } from '../../cloud/power'
import type { World } from '../../cloud/cloud'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../endpoint'

const common = {
  tag: 'Virtual machines',
  extension: true,
  query: noQuery,
  body: noBody,
  data: noData,
} as const

const done = { start: 'starting', stop: 'stopping', reboot: 'rebooting' } as const

/** Starting, stopping, rebooting and deleting machines (service-extensions.md). */
export const powerEndpoints = (world: World): Endpoint[] => [
  ...powerCalls.map((call) =>
    endpoint(
      {
        ...common,
        method: 'GET',
        path: `/virtual-machines/{id}/${call}`,
        summary: `${call.charAt(0).toUpperCase()}${call.slice(1)} a virtual machine`,
        description: 'Changes state although it is a GET. A machine that is stopped is billed on.',
      },
      ({ param }) => {
        changePower(world, requireMachine(world, param('id'), 'id'), call)
        return { message: `The virtual machine is ${done[call]}` }
      },
    ),
  ),
  endpoint(
    {
      ...common,
      method: 'DELETE',
      path: '/virtual-machines/{id}',
      summary: 'Delete a virtual machine',
      description: 'Cannot be undone. Its billing ends; its volumes are detached, and billed on.',
    },
    ({ param }) => {
      world.remove(requireMachine(world, param('id'), 'id').id)
      return { message: 'The virtual machine is deleted' }
    },
  ),
]
