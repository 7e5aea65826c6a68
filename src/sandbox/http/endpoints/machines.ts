import { z } from 'zod'
import { MetricDuration } from '#shared/service/metrics'
import { requireCredit } from '../../billing/fees'
import type { Secrets } from '../../secrets'
import { createMachine, requireMachine } from '../../cloud/machines'
import { machineMetrics } from '../../cloud/metrics'
import type { Cloud } from '../../cloud/cloud'
import { endpoint, noBody, noQuery, type Endpoint } from '../endpoint'
import { FilteredPageParameters } from '../list-parameters'
import { machineFields, machineView, withSecrets } from '../machine-view'
import { CreatedInstance, Machine, Metrics, NewMachine } from '../schemas/machines'
import { selectPage } from '../select-page'

const tag = 'Virtual machines'

export const machineEndpoints = (cloud: Cloud, secrets: Secrets): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/virtual-machines',
      tag,
      summary: 'Create a virtual machine',
      description:
        'image_id (or the volume) and flavor_id must belong to the same region. volume_name is the generated name of an existing bootable volume; then image_id is omitted.',
      query: noQuery,
      body: NewMachine,
      data: CreatedInstance,
      errors: ['payment-required', 'not-found', 'conflict'],
    },
    ({ body }) => {
      requireCredit(cloud)
      const { id, name } = createMachine(cloud, body)
      return { message: 'The virtual machine is being created', data: { name, id } }
    },
  ),
  endpoint(
    {
      method: 'GET',
      path: '/virtual-machines',
      tag,
      summary: 'List virtual machines',
      query: FilteredPageParameters,
      body: noBody,
      data: z.array(Machine),
      paginated: true,
    },
    ({ query }) => {
      const items = [...cloud.machines.values()]
      const page = selectPage({ items, view: machineView, fields: machineFields }, query)
      return {
        message: 'Virtual machines',
        data: page.data.map((machine) => withSecrets(machine, secrets)),
        total: page.total,
      }
    },
  ),
  endpoint(
    {
      method: 'GET',
      path: '/virtual-machines/{id}',
      tag,
      summary: 'Show a virtual machine',
      query: noQuery,
      body: noBody,
      data: Machine,
    },
    ({ param }) => ({
      message: 'Virtual machine',
      data: withSecrets(machineView(requireMachine(cloud, param('id'), 'id')), secrets),
    }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/virtual-machines/{id}/metrics',
      tag,
      summary: 'Show the load of a virtual machine',
      description:
        'A point a minute while the machine ran, 30 days at most, ordered by time ascending. Without duration, everything recorded.',
      query: z.object({ duration: MetricDuration.optional() }),
      body: noBody,
      data: Metrics,
    },
    ({ param, query }) => ({
      message: 'Metrics',
      data: machineMetrics(requireMachine(cloud, param('id'), 'id'), query.duration, cloud.now()),
    }),
  ),
]
