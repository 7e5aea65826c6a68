import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { HttpEnvironment } from './mount-endpoints'

const match = {
  count: z.number().int().positive().default(1),
  method: z.string().optional(),
  /** Substring of the path. */
  path: z.string().optional(),
}

/** Failure that the next matching requests get. */
export const Fault = z.discriminatedUnion('kind', [
  /** Responds instead of the service. `body` is sent verbatim; without it the envelope of an error is sent. */
  z.object({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().optional(),
    message: z.string().default('injected fault'),
    ...match,
  }),
  /** Closes the connection before the request is handled, or after that and before the response. */
  z.object({ kind: z.literal('drop'), when: z.enum(['before', 'after']).default('before'), ...match }),
  /** Delays the request, at most until faults are cleared. */
  z.object({ kind: z.literal('delay'), milliseconds: z.number().nonnegative().max(600_000), ...match }),
  /** Handles the request, and responds with 200 and a body that is not JSON. */
  z.object({ kind: z.literal('not-json'), body: z.string().default('<html>Welcome</html>'), ...match }),
])
export type Fault = z.infer<typeof Fault>

export interface Faults {
  add(fault: Fault): void
  list(): readonly Fault[]
  /** Removes pending faults; delayed requests proceed at once. */
  clear(): void
  readonly middleware: MiddlewareHandler<HttpEnvironment>
}

/** Applies the first matching fault to each request, up to `count` times per fault. */
export function createFaults(): Faults {
  let pending: Fault[] = []
  const delayed = new Set<() => void>()
  const delay = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(proceed, milliseconds).unref()
      delayed.add(proceed)
      function proceed(): void {
        delayed.delete(proceed)
        clearTimeout(timer)
        resolve()
      }
    })
  const take = (method: string, path: string): Fault | undefined => {
    const fault = pending.find(
      (candidate) =>
        (candidate.method ?? method) === method &&
        (candidate.path === undefined || path.includes(candidate.path)),
    )
    if (fault === undefined) return undefined
    fault.count -= 1
    pending = pending.filter((candidate) => candidate.count > 0)
    return fault
  }
  return {
    add: (fault) => {
      pending.push({ ...fault })
    },
    list: () => pending,
    clear: () => {
      pending = []
      for (const proceed of delayed) proceed()
    },
    middleware: async (context, next) => {
      const fault = take(context.req.method, context.req.path)
      const closeConnection = (): void => {
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
          closeConnection()
          context.res = new Response(null, { status: 499 })
          return
        case 'delay':
          await delay(fault.milliseconds)
          return next()
        case 'not-json':
          await next()
          context.res = new Response(fault.body, { headers: { 'content-type': 'text/html' } })
          return
      }
    },
  }
}
