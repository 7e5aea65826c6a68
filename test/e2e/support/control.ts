import { z } from 'zod'
import type { Sandbox } from './sandbox'

/** Sends a request to the control API of a sandbox (docs/sandbox.md). `path` without the leading /control. */
export const control = async (
  { baseUrl, controlKey }: Pick<Sandbox, 'baseUrl' | 'controlKey'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> => {
  const answer = await fetch(new URL(`/control${path}`, baseUrl), {
    method,
    headers: { 'x-control-key': controlKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} /control${path} answered ${String(answer.status)}`)
  return answer.json()
}

const Requests = z.object({
  data: z.array(z.object({ method: z.string(), path: z.string(), status: z.number() })),
})

/** The requests to the service so far, oldest first, as "POST /virtual-machines". */
export const requestsTo = async (sandbox: Sandbox): Promise<readonly string[]> =>
  Requests.parse(await control(sandbox, 'GET', '/requests')).data.map(
    ({ method, path }) => `${method} ${path.replace('/api/v1', '')}`,
  )

const Named = z.array(z.object({ id: z.string(), name: z.string(), public_key: z.string().nullable() }))
const State = z.object({ data: z.object({ machines: Named, bare_metal: Named }) })

/** The machines and instances that the service has. */
export const stateOf = async (sandbox: Sandbox) => State.parse(await control(sandbox, 'GET', '/state')).data
