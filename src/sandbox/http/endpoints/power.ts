import { requireMachine } from '../../cloud/machines'
import { changePower, powerActions } from '../../cloud/power'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../endpoint'

const common = {
  tag: 'Virtual machines',
  extension: true,
  query: noQuery,
  body: noBody,
  data: noData,
} as const

const gerund = { start: 'starting', stop: 'stopping', reboot: 'rebooting' } as const

/** Creates the endpoints that start, stop, reboot and delete machines (service-extensions.md). */
export const powerEndpoints = (cloud: Cloud): Endpoint[] => [
  ...powerActions.map((action) =>
    endpoint(
      {
        ...common,
        method: 'GET',
        unsafe: true,
        errors: ['conflict'],
        path: `/virtual-machines/{id}/${action}`,
        summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} a virtual machine`,
        description:
          'Changes state although it is a GET: HEAD answers 405. A machine that is stopped continues to be billed.',
      },
      ({ param }) => {
        changePower(cloud, requireMachine(cloud, param('id'), 'id'), action)
        return { message: `The virtual machine is ${gerund[action]}` }
      },
    ),
  ),
  endpoint(
    {
      ...common,
      method: 'DELETE',
      path: '/virtual-machines/{id}',
      summary: 'Delete a virtual machine',
      description:
        'Cannot be undone. Its billing ends; its volumes are detached, and their billing continues.',
    },
    ({ param }) => {
      cloud.remove(requireMachine(cloud, param('id'), 'id').id)
      return { message: 'The virtual machine is deleted' }
    },
  ),
]
