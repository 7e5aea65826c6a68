import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hostNameOf, type SshMachine } from './machine'

/** Program on every machine that answers with a page on its default port. */
export interface WebService {
  readonly name: string
  readonly port: number
  readonly process: string
  readonly pid: number
  /** Paths of the page. */
  readonly paths: readonly string[]
  /** Path and content of the answer to programs. */
  readonly api: readonly [path: string, answer: unknown]
}

export const webServices: readonly WebService[] = [
  {
    name: 'Jupyter',
    port: 8888,
    process: 'jupyter-lab',
    pid: 2104,
    paths: ['/', '/lab', '/tree'],
    api: ['/api', { version: '2.14.2' }],
  },
  {
    name: 'TensorBoard',
    port: 6006,
    process: 'tensorboard',
    pid: 2377,
    paths: ['/'],
    api: ['/data/environment', { version: '2.18.0', window_title: '' }],
  },
]

/** Token of the machine's Jupyter, which has nothing to protect. */
export const jupyterToken = 'practice'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (machine: SshMachine, { name }: WebService): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${hostNameOf(machine)} - ${name} stand-in</title>
<style>
  body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #171b21; background: #f6f7f9 }
  main { max-width: 40rem; margin: 12vh auto; padding: 32px; background: #fff; border-radius: 8px }
  h1 { margin: 0 0 8px; font-size: 20px }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0 0 }
  dt { color: #5c6775 }
  dd { margin: 0; font-family: ui-monospace, monospace }
</style>
<main>
  <h1>${hostNameOf(machine)}</h1>
  <p>This page stands for ${name} on a machine of the Wheelhouse sandbox. You reached it through an SSH tunnel.</p>
  <dl>
    <dt>Address</dt><dd>${escaped(machine.address)}</dd>
    <dt>User</dt><dd>${escaped(machine.username)}</dd>
    <dt>GPU</dt><dd>${machine.gpuCount} x ${escaped(machine.gpu)}</dd>
  </dl>
</main>
</html>
`

function respond(
  machine: SshMachine,
  service: WebService,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (status: number, type: string, body: string) => {
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  request.resume()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(405, 'text/plain', 'only GET\n')
    return
  }
  const path = request.url?.split('?')[0] ?? ''
  const [api, answer] = service.api
  if (service.paths.includes(path)) send(200, 'text/html; charset=utf-8', page(machine, service))
  else if (path === api) send(200, 'application/json', JSON.stringify(answer))
  else send(404, 'text/plain', 'not found\n')
}

/** Creates the web servers of one machine by port. None listens: SSH channels are passed to them as 'connection' events. */
export const createWebServers = (machine: SshMachine): ReadonlyMap<number, Server> =>
  new Map(
    webServices.map((service) => [
      service.port,
      createServer((request, response) => {
        respond(machine, service, request, response)
      }),
    ]),
  )
