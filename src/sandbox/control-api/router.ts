import { Hono } from 'hono'
import { z } from 'zod'
import { setBalance, toMicros } from '../billing/fees'
import type { Ledger } from '../billing/ledger'
import type { Clock } from '../clock'
import { secretsEqual } from '../http/authentication'
import { endpoint, noBody, noQuery, type Endpoint } from '../http/endpoint'
import { mountEndpoints, type HttpEnvironment } from '../http/mount-endpoints'
import { errorResponse } from '../http/error-response'
import { ApiError, notFound } from '../api-error'
import type { Secrets } from '../secrets'
import { GpuProfile, MachineFault } from '../cloud/gpu-profile'
import { SetUpRecord } from '../cloud/set-up'
import { bareMetalFlavorById, flavorById } from '../cloud/catalog'
import { requireMachine } from '../cloud/machines'
import type { Cloud } from '../cloud/cloud'
import { ledgerReport } from './ledger-report'
import { Fault, type Faults } from '../http/faults'
import type { RequestLog } from '../http/request-log'
import { stateReport } from './state-report'

export interface ControlApiDeps {
  readonly cloud: Cloud
  readonly clock: Clock
  readonly secrets: Secrets
  readonly ledger: Ledger
  readonly faults: Faults
  readonly requests: RequestLog
}

const keyHeader = 'x-control-key'

const common = { tag: 'Control', query: noQuery, body: noBody, data: z.unknown() } as const

const remove = (path: string, summary: string) => ({ ...common, method: 'DELETE', path, summary }) as const
const read = (path: string, summary: string) => ({ ...common, method: 'GET', path, summary }) as const
const write = <Body extends z.ZodType>(
  method: 'POST' | 'PUT',
  path: string,
  summary: string,
  body: Body,
) => ({
  ...common,
  method,
  path,
  summary,
  body,
})

const ClockChange = z.union([
  z.strictObject({ now: z.number().int() }),
  z.strictObject({ advance: z.number().int() }),
  z.strictObject({ held: z.boolean() }),
])

const timeEndpoints = ({ cloud, clock, ledger }: ControlApiDeps): Endpoint[] => {
  const time = () => ({ now: clock.now(), offset: clock.offset() })
  return [
    endpoint(read('/clock', 'Read the clock'), () => ({ message: 'Clock', data: time() })),
    endpoint(
      write('POST', '/clock', 'Set, advance (in seconds), hold or release the clock', ClockChange),
      ({ body }) => {
        if ('now' in body) clock.set(body.now)
        else if ('advance' in body) clock.advance(body.advance)
        else clock.hold(body.held)
        cloud.completeTransitions()
        cloud.changed()
        return { message: 'Clock moved', data: time() }
      },
    ),
    endpoint(read('/ledger', 'Read the ledger'), () => ({
      message: 'Ledger',
      data: ledgerReport(cloud, ledger),
    })),
  ]
}

const cloudEndpoints = ({ cloud }: ControlApiDeps): Endpoint[] => [
  endpoint(read('/state', 'Read the state of machines and volumes'), () => ({
    message: 'State',
    data: stateReport(cloud),
  })),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/status',
      'Set the status of a machine',
      z.object({ status: z.string().min(1) }),
    ),
    ({ param, body }) => {
      cloud.setMachineStatus(requireMachine(cloud, param('id'), 'id'), body.status)
      return { message: 'Status set' }
    },
  ),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/gpu',
      'Set the GPU profile of a machine; null: that of its workload',
      z.object({ profile: GpuProfile.nullable() }),
    ),
    ({ param, body }) => {
      const machine = requireMachine(cloud, param('id'), 'id')
      machine.gpuProfile = body.profile ?? undefined
      delete machine.ended
      cloud.changed()
      return { message: 'Profile set' }
    },
  ),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/faults',
      'Set the defects of a machine',
      z.object({ faults: z.array(MachineFault) }),
    ),
    ({ param, body }) => {
      requireMachine(cloud, param('id'), 'id').faults = body.faults
      cloud.changed()
      return { message: 'Faults set' }
    },
  ),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/set-up',
      'Set the state and the log of cloud-init; null: those that follow from the creation',
      z.strictObject({ setUp: SetUpRecord.nullable() }),
    ),
    ({ param, body }) => {
      requireMachine(cloud, param('id'), 'id').setUp = body.setUp ?? undefined
      cloud.changed()
      return { message: 'Set-up set' }
    },
  ),
  endpoint(
    write(
      'PUT',
      '/flavors/{id}/stock',
      'Set whether a flavor is in stock',
      z.strictObject({ in_stock: z.boolean() }),
    ),
    ({ param, body }) => {
      const id = param('id')
      if (!flavorById.has(id) && !bareMetalFlavorById.has(id)) throw notFound('id', 'flavor')
      cloud.setInStock(id, body.in_stock)
      return { message: 'Stock set' }
    },
  ),
  endpoint(remove('/resources/{id}', 'Remove a machine, bare metal instance or volume'), ({ param }) => {
    if (!cloud.remove(param('id'))) throw notFound('id', 'resource')
    return { message: 'Removed' }
  }),
  endpoint(
    write('PUT', '/balance', 'Set the credit that is left', z.object({ USD: z.number() })),
    ({ body }) => {
      setBalance(cloud, toMicros(body.USD))
      return { message: 'Balance set' }
    },
  ),
  endpoint(remove('/sessions', 'Revoke every login token'), () => {
    cloud.revokeSessions()
    return { message: 'Login tokens revoked' }
  }),
  endpoint(remove('/api-tokens/{id}', 'Revoke an API token'), ({ param }) => {
    const token = cloud.apiTokens.get(param('id'))
    if (token === undefined) throw notFound('id', 'API token')
    token.revoked = true
    cloud.changed()
    return { message: 'API token revoked' }
  }),
]

const trafficEndpoints = ({ faults, requests }: ControlApiDeps): Endpoint[] => [
  endpoint(read('/faults', 'List the pending faults'), () => ({ message: 'Faults', data: faults.list() })),
  endpoint(write('POST', '/faults', 'Inject a fault into the next requests', Fault), ({ body }) => {
    faults.add(body)
    return { message: 'Fault added', data: faults.list() }
  }),
  endpoint(remove('/faults', 'Clear the pending faults'), () => {
    faults.clear()
    return { message: 'Faults cleared' }
  }),
  endpoint(read('/requests', 'List the last requests to the service'), () => ({
    message: 'Requests',
    data: requests.list(),
  })),
  endpoint(remove('/requests', 'Clear the request log'), () => {
    requests.clear()
    return { message: 'Requests cleared' }
  }),
]

/** Creates the control API for tests (docs/sandbox.md). Every request needs the control key. */
export function createControlApi(deps: ControlApiDeps) {
  const control = new Hono<HttpEnvironment>()
  mountEndpoints(
    control,
    [...timeEndpoints(deps), ...cloudEndpoints(deps), ...trafficEndpoints(deps)],
    (context) => {
      if (!secretsEqual(context.req.header(keyHeader) ?? '', deps.secrets.controlKey)) {
        throw new ApiError('unauthorized', `the ${keyHeader} header is missing or wrong`)
      }
      deps.cloud.completeTransitions()
    },
  )
  control.onError((error, context) => errorResponse(context, error))
  return control
}
