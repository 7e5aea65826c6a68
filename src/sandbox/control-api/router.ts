import { Hono } from 'hono'
import { z } from 'zod'
import type { Books } from '../billing/ledger'
import type { Clock } from '../clock'
import { sameSecret } from '../http/authentication'
import { endpoint, noBody, noData, noQuery, type Endpoint } from '../http/endpoint'
import type { ServiceEnvironment } from '../http/environment'
import { mountEndpoints } from '../http/mount-endpoints'
import { refusalAnswer } from '../http/error-response'
import { Refusal, unknown } from '../api-error'
import type { Secrets } from '../secrets'
import { GpuProfile } from '../cloud/gpu-profile'
import { requireMachine } from '../cloud/machines'
import type { World } from '../cloud/cloud'
import { readLedger } from './ledger-report'
import { Fault, type Faults } from '../http/faults'
import type { RequestLog } from '../http/request-log'
import { readState } from './state-report'

export interface ControlParts {
  readonly world: World
  readonly clock: Clock
  readonly secrets: Secrets
  readonly books: Books
  readonly faults: Faults
  readonly requests: RequestLog
}

const keyHeader = 'x-control-key'

/** What a test may do to a sandbox, beside the service (docs/sandbox.md). Every request carries the control key. */
export function createControl(parts: ControlParts) {
  const control = new Hono<ServiceEnvironment>()
  mountEndpoints(
    control,
    [...timeEndpoints(parts), ...worldEndpoints(parts), ...trafficEndpoints(parts)],
    (context) => {
      if (!sameSecret(context.req.header(keyHeader) ?? '', parts.secrets.controlKey)) {
        throw new Refusal('unauthorized', `the ${keyHeader} header is missing or wrong`)
      }
      parts.world.settle()
    },
  )
  control.onError((error, context) => refusalAnswer(context, error))
  return control
}

const common = { tag: 'Control', query: noQuery, body: noBody, data: noData } as const
const read = (path: string, summary: string) => ({ ...common, method: 'GET', path, summary }) as const
const remove = (path: string, summary: string) => ({ ...common, method: 'DELETE', path, summary }) as const
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

const timeEndpoints = ({ world, clock, books }: ControlParts): Endpoint[] => {
  const time = () => ({ now: clock.now(), offset: clock.offset() })
  return [
    endpoint(read('/clock', 'Read the clock'), () => ({ message: 'Clock', data: time() })),
    endpoint(
      write('POST', '/clock', 'Set, advance (in seconds), hold or release the clock', ClockChange),
      ({ body }) => {
        if ('now' in body) clock.set(body.now)
        else if ('advance' in body) clock.advance(body.advance)
        else clock.hold(body.held)
        world.settle()
        world.changed()
        return { message: 'Clock moved', data: time() }
      },
    ),
    endpoint(read('/books', 'Read the books'), () => ({ message: 'Books', data: readLedger(world, books) })),
  ]
}

const worldEndpoints = ({ world }: ControlParts): Endpoint[] => [
  endpoint(read('/state', 'Read the state of machines and volumes'), () => ({
    message: 'State',
    data: readState(world),
  })),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/status',
      'Put a machine into a state',
      z.object({ status: z.string().min(1) }),
    ),
    ({ param, body }) => {
      world.setMachineStatus(requireMachine(world, param('id'), 'id'), body.status)
      return { message: 'Status set' }
    },
  ),
  endpoint(
    write(
      'PUT',
      '/machines/{id}/gpu',
      'Say what the GPUs of a machine do; null: what its workload says',
      z.object({ profile: GpuProfile.nullable() }),
    ),
    ({ param, body }) => {
      const machine = requireMachine(world, param('id'), 'id')
      machine.gpuProfile = body.profile ?? undefined
      world.changed()
      return { message: 'Profile set' }
    },
  ),
  endpoint(
    remove('/resources/{id}', 'Make a machine, bare metal instance or volume disappear'),
    ({ param }) => {
      if (!world.remove(param('id'))) throw unknown('id', 'resource')
      return { message: 'Removed' }
    },
  ),
  endpoint(remove('/sessions', 'Revoke every login token'), () => {
    world.revokeSessions()
    return { message: 'Login tokens revoked' }
  }),
  endpoint(remove('/api-tokens/{id}', 'Revoke an API token'), ({ param }) => {
    const token = world.apiTokens.get(param('id'))
    if (token === undefined) throw unknown('id', 'API token')
    token.revoked = true
    world.changed()
    return { message: 'API token revoked' }
  }),
]

const trafficEndpoints = ({ faults, requests }: ControlParts): Endpoint[] => [
  endpoint(read('/faults', 'List the faults that wait'), () => ({ message: 'Faults', data: faults.list() })),
  endpoint(write('POST', '/faults', 'Let the next requests go wrong', Fault), ({ body }) => {
    faults.add(body)
    return { message: 'Fault waits', data: faults.list() }
  }),
  endpoint(remove('/faults', 'Forget the faults that wait'), () => {
    faults.clear()
    return { message: 'Faults forgotten' }
  }),
  endpoint(read('/requests', 'List the last requests to the service'), () => ({
    message: 'Requests',
    data: requests.list(),
  })),
  endpoint(remove('/requests', 'Forget the requests so far'), () => {
    requests.clear()
    return { message: 'Requests forgotten' }
  }),
]
