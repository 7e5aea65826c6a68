import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import type { Credential } from '#shared/bridge/account'
import { runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { portOf } from '../../../test/fixtures/tunnels-harness'

/** Starts a web server that is not a service, and records its requests. */
async function webServer(answer: RequestListener) {
  const seen: { readonly request: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    seen.push({ request: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers })
    answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { seen, url: `http://127.0.0.1:${String(portOf(server))}` }
}

const password = { kind: 'password', username: 'anna', password: 'correct horse' } as const
const token = { kind: 'api-token', token: 'wh_0123456789' } as const

const answers = {
  'a page': [
    'web-page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
  ],
  'a page without a type': ['web-page', (_, response) => response.end('<!doctype html><title>x</title>')],
  'nothing found': ['not-identified', (_, response) => response.writeHead(404).end()],
  'a redirect': [
    'not-identified',
    (_, response) => response.writeHead(302, { location: 'https://example.com/login' }).end(),
  ],
  'other JSON': ['not-identified', (_, response) => response.end('{"status":"up"}')],
} as const satisfies Readonly<Record<string, readonly [string, RequestListener]>>

const cases = Object.entries(answers).flatMap(([name, [reason, answer]]) =>
  [password, token].map((credential) => [name, credential, reason, answer] as const),
)

it.each(cases)(
  'sends no credentials to an address that answers with %s: %o',
  async (_, credential: Credential, reason, answer) => {
    const { seen, url } = await webServer(answer)
    const harness = await setUp()
    const connect = harness.accounts.handlers['accounts.connect']
    const input = { baseUrl: url, credential, staySignedIn: true }
    await expect(connect(input)).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'baseUrl', reason },
    })
    expect(seen.map(({ request }) => request)).toEqual([
      'GET /virtual-machines?limit=1',
      'GET /api/v1/virtual-machines?limit=1',
    ])
    expect(seen.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([])
    // Credentials are sent only after the user confirmed the address.
    await expect(connect({ ...input, confirmed: ['address'] })).rejects.toMatchObject({
      failure: { kind: expect.stringMatching(/unexpected-answer|refused-by-service/) },
    })
    expect(seen.length).toBeGreaterThan(2)
  },
)

it('asks again about an accepted address only after it changed', async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const credential = { kind: 'password', username: sandbox.username, password: sandbox.password } as const
  const { id } = await harness.accounts.handlers['accounts.connect']({
    baseUrl: sandbox.baseUrl,
    credential,
    staySignedIn: true,
  })
  const text = await harness.filesText()
  expect(text).toContain(`"identifiedUrl": "${sandbox.baseUrl}"`)
  const { seen, url } = await webServer((_, response) => response.writeHead(404).end())
  await harness.writeSettings(text.replace(`"baseUrl": "${sandbox.baseUrl}"`, `"baseUrl": "${url}"`))
  const changed = await harness.restart()
  await changed.resume()
  expect(changed.view().accounts).toMatchObject([
    { id, state: 'signed-out', failure: { kind: 'invalid-input', reason: 'not-identified' } },
  ])
  expect(seen.map(({ request }) => request)).toEqual(['GET /virtual-machines?limit=1'])
})
