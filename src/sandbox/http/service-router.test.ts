import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Envelope } from '#shared/service/envelope'
import { startTestSandbox, type TestSandbox } from '../sandbox.fixture'

/** Returns the response status for a body in chunked encoding. */
const chunked = (url: string, apiToken: string, body: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiToken}` }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.write(body)
    sent.end()
  })

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

describe('the sandbox over HTTP', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  it('answers on loopback below /api/v1, and at no other address of the computer', async () => {
    expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/)
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    // If the computer has no other address, the rest of loopback is tested.
    for (const address of [
      '127.0.0.2',
      ...own.flatMap((one) => (one.family === 'IPv4' ? one.address : [])),
    ]) {
      if (address === '127.0.0.1') continue
      await expect(fetch(sandbox.baseUrl.replace('127.0.0.1', address)), address).rejects.toThrow()
      if (!address.startsWith('127.')) expect(await isOpen(address, sandbox.sshPort), address).toBe(false)
    }
    // A new machine has no address yet.
    const Machines = z.array(z.object({ fixed_ip: z.string().optional() }))
    const machines = await sandbox.read(Machines, '/virtual-machines')
    const addresses = machines.flatMap(({ fixed_ip: address }) => address ?? [])
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address).toMatch(/^127\./)
  })

  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/virtual-machines/0/start', 404],
    ['GET', '/virtual-machines/0', 404],
    ['GET', '/virtual-machines/0/metrics', 404],
    ['GET', '/virtual-machines/0/firewall-rules', 404],
    ['DELETE', '/virtual-machines/0/volumes/0', 404],
    ['GET', '/bare-metal/instances/0', 404],
    ['GET', '/images?region_id=nowhere', 404],
    ['PUT', '/volumes', 405],
    ['DELETE', '/virtual-machines', 405],
    ['GET', '/authenticate/login', 405],
  ])('answers %s %s with %i and an envelope', async (method, path, code) => {
    const answer = await sandbox.ask(method, path)
    expect(answer).toMatchObject({ code, status: false })
    expect(answer.message).not.toBe('')
  })

  it('lists the methods of a path', async () => {
    const response = await fetch(`${sandbox.baseUrl}/virtual-machines`, { method: 'PATCH' })
    expect(response.headers.get('allow')).toBe('POST, GET')
  })

  it.each(['{', '', 'null', '[]', '"text"'])('refuses the body %j', async (body) => {
    expect(await sandbox.ask('POST', '/volumes', body)).toMatchObject({ code: 400, status: false })
  })

  it('refuses a body over 1 MB, with its length in a header or not', async () => {
    const body = JSON.stringify({ display_name: 'x'.repeat(1_000_000) })
    expect(await sandbox.ask('POST', '/volumes', body)).toMatchObject({ code: 413, status: false })
    expect(await chunked(`${sandbox.baseUrl}/volumes`, sandbox.apiToken, body)).toBe(413)
  })

  it('accepts a body of almost 1 MB', async () => {
    const answer = await sandbox.ask('POST', '/volumes', { description: 'x'.repeat(999_000) })
    expect(answer).toMatchObject({ code: 400, data: { field: 'display_name' } })
  })

  it('offers images, flavors and volume types by region', async () => {
    const Images = z
      .array(z.object({ id: z.string(), region_id: z.string(), region_name: z.string() }))
      .min(1)
    const Groups = z.array(
      z.object({ region_id: z.string(), products: z.array(z.object({ region_id: z.string() })).min(1) }),
    )
    const regionsOf = (items: { region_id: string }[]) => new Set(items.map((item) => item.region_id))
    expect(regionsOf(await sandbox.read(Groups, '/flavors')).size).toBeGreaterThanOrEqual(3)
    expect(regionsOf(await sandbox.read(Groups, '/bare-metal/flavors')).size).toBeGreaterThanOrEqual(2)
    expect(regionsOf(await sandbox.read(Images, '/images')).size).toBeGreaterThanOrEqual(3)
    expect(regionsOf(await sandbox.read(Images, '/bare-metal/images')).size).toBeGreaterThanOrEqual(2)
    const paris = new Set(['eu-west-1'])
    expect(regionsOf(await sandbox.read(Images, '/images?region_id=eu-west-1'))).toEqual(paris)
    expect(regionsOf(await sandbox.read(Groups, '/flavors?region_id=eu-west-1'))).toEqual(paris)
    expect(await sandbox.read(z.array(z.unknown()), '/bare-metal/flavors?region_id=eu-west-1')).toEqual([])
    expect(await sandbox.read(z.array(z.unknown()), '/volume-types?region_id=eu-west-1')).toHaveLength(1)
    expect(await sandbox.read(z.array(z.unknown()), '/regions')).toHaveLength(5)
  })

  it('has flavors in stock and out of stock', async () => {
    const Groups = z.array(z.object({ products: z.array(z.object({ stock_available: z.boolean() })) }))
    for (const path of ['/flavors', '/bare-metal/flavors']) {
      const products = (await sandbox.read(Groups, path)).flatMap((group) => group.products)
      expect(new Set(products.map((product) => product.stock_available))).toEqual(new Set([true, false]))
    }
  })

  it('renames an API token within the limit of its name', async () => {
    const [token] = await sandbox.read(
      z.array(z.object({ id: z.string(), token: z.string() })),
      '/api-tokens',
    )
    const path = `/api-tokens/${token?.id}`
    const name = 'n'.repeat(50)
    expect(await sandbox.ask('PUT', path, { name })).toMatchObject({ code: 200, data: { ...token, name } })
    expect(await sandbox.ask('PUT', path, { name: `${name}n` })).toMatchObject({
      code: 400,
      data: { field: 'name' },
    })
    expect(await sandbox.ask('PUT', path, {})).toMatchObject({ code: 400, data: { field: 'name' } })
    expect((await sandbox.ask('PUT', '/api-tokens/0', { name })).code).toBe(404)
  })

  it('describes itself in OpenAPI 3.1, with every parameter of every path', async () => {
    const Document = z.object({
      openapi: z.string(),
      servers: z.array(z.object({ url: z.string() })),
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({
            operationId: z.string(),
            parameters: z.array(z.object({ name: z.string(), in: z.string() })),
          }),
        ),
      ),
    })
    const document = Document.parse(await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json())
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: sandbox.baseUrl }])
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    )
    expect(operations).toHaveLength(31)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(31)
    for (const { path, parameters } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(inPath).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name))
    }
  })

  it('has a page that names every path and loads nothing', async () => {
    const page = await (await fetch(`${sandbox.baseUrl}/docs`)).text()
    expect(page).toContain('/virtual-machines/{id}/firewall-rules')
    expect(page).toContain('/billing/resources/usage')
    expect(page).not.toMatch(/<script|<link|src=|https?:/)
  })

  it('wraps every answer', async () => {
    for (const path of ['/regions', '/images', '/api-tokens', '/nothing']) {
      const response = await fetch(sandbox.baseUrl + path, {
        headers: { authorization: `Bearer ${sandbox.apiToken}` },
      })
      expect(Envelope.safeParse(await response.json()).success).toBe(true)
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  })
})
