import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { ServiceEnvironment } from './environment'

const match = {
  /** How many requests it befalls. */
  count: z.number().int().positive().default(1),
  method: z.string().optional(),
  /** A part of the path. */
  path: z.string().optional(),
}

/** Something that goes wrong with the next requests that match. */
export const Fault = z.discriminatedUnion('kind', [
  /** Answers instead of the service. `body` is sent as it is; without it the envelope of an error. */
  z.object({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().optional(),
    message: z.string().default('injected fault'),
    ...match,
  }),
  /** Breaks the connection before the service acts, or after it acted and before it answers. */
  z.object({ kind: z.literal('drop'), when: z.enum(['before', 'after']).default('before'), ...match }),
  /** Answers later. Milliseconds. */
  z.object({ kind: z.literal('delay'), milliseconds: z.number().nonnegative().max(600_000), ...match }),
  /** Acts, and answers 200 with something that is not JSON. */
  z.object({ kind: z.literal('not-json'), body: z.string().default('<html>Welcome</html>'), ...match }),
])
export type Fault = z.infer<typeof Fault>

export interface Faults {
  /** Adds a fault behind those that wait. */
  add(fault: Fault): void
  list(): readonly Fault[]
  clear(): void
  readonly middleware: MiddlewareHandler<ServiceEnvironment>
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })

/** The first waiting fault that matches a request befalls it, as often as its count says. */
export function createFaults(): Faults {
  let waiting: Fault[] = []
  const take = (method: string, path: string): Fault | undefined => {
    const fault = waiting.find(
      (one) => (one.method ?? method) === method && (one.path === undefined || path.includes(one.path)),
    )
    if (fault === undefined) return undefined
    fault.count -= 1
    waiting = waiting.filter((one) => one.count > 0)
    return fault
  }
  return {
    add: (fault) => {
      waiting.push({ ...fault })
    },
    list: () => waiting,
    clear: () => {
      waiting = []
    },
    middleware: async (context, next) => {
      const fault = take(context.req.method, context.req.path)
      const breakConnection = (): void => {
        context.env.incoming.socket.destroy()
      }
      switch (fault?.kind) {
        case undefined:
          return next()
        case 'status': {
          const body = fault.body ?? JSON.stringify({ status: false, message: fault.message })
          const headers = { 'content-type': 'application/json', ...fault.headers }
          context.res = new Response(fault.status === 204 || fault.status === 304 ? null : body, {
            status: fault.status,
            headers,
          })
          return
        }
        case 'drop':
          if (fault.when === 'after') await next()
          breakConnection()
          context.res = new Response(null, { status: 499 })
          return
        case 'delay':
          await wait(fault.milliseconds)
          return next()
        case 'not-json':
          await next()
          context.res = new Response(fault.body, { headers: { 'content-type': 'text/html' } })
          return
      }
    },
  }
}
