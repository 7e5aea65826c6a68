import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hostNameOf, type SshMachine } from './machine'

/** The default port of Jupyter. */
export const jupyterPort = 8888

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (machine: SshMachine): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${hostNameOf(machine)} - Jupyter stand-in</title>
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
  <p>This page stands for Jupyter on a machine of the Wheelhouse sandbox. You reached it through an SSH tunnel.</p>
  <dl>
    <dt>Address</dt><dd>${escaped(machine.address)}</dd>
    <dt>User</dt><dd>${escaped(machine.username)}</dd>
    <dt>GPU</dt><dd>${machine.gpuCount} x ${escaped(machine.gpu)}</dd>
  </dl>
</main>
</html>
`

function respond(machine: SshMachine, request: IncomingMessage, response: ServerResponse): void {
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
  switch (request.url?.split('?')[0]) {
    case '/':
    case '/lab':
    case '/tree':
      send(200, 'text/html; charset=utf-8', page(machine))
      return
    case '/api':
      send(200, 'application/json', JSON.stringify({ version: '2.14.2' }))
      return
    default:
      send(404, 'text/plain', 'not found\n')
  }
}

/** The web server of one machine. It never listens: SSH channels are passed to it as 'connection' events. */
export const createJupyter = (machine: SshMachine): Server =>
  createServer((request, response) => {
    respond(machine, request, response)
  })
