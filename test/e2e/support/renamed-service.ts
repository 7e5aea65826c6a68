import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { portOf } from '../../fixtures/tunnels-harness'

/** The service at `target` with other texts: `names` maps texts of its answers to their replacements. */
export async function renamedService(target: string, names: Readonly<Record<string, string>>) {
  const { origin } = new URL(target)
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await buffer(request)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (!/^(?:host|accept-encoding|connection|content-length)$/.test(name)) headers.set(name, String(value))
    const answer = await fetch(`${origin}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers,
      ...(asked.length > 0 && { body: asked }),
    })
    const text = await answer.text()
    const body = Object.entries(names).reduce(
      (changed, [name, other]) => changed.replaceAll(JSON.stringify(name), () => JSON.stringify(other)),
      text,
    )
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
  }
  // Same as if the service itself hung up.
  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    baseUrl: target.replace(origin, `http://127.0.0.1:${String(portOf(server))}`),
    close: () => server.close(),
  }
}
