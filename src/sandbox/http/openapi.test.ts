import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { digest, startTestSandbox, type TestSandbox } from '../sandbox.fixture'

const Schema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.looseObject({})).default({}),
  examples: z.array(z.record(z.string(), z.unknown())).default([]),
})
const Content = z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) })
const Operation = z.looseObject({
  operationId: z.string(),
  description: z.string().optional(),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ $ref: z.string().optional(), content: Content.optional() }),
  ),
})
const Document = z.object({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), Schema),
    responses: z.record(z.string(), z.object({ description: z.string(), content: Content })),
  }),
})

describe('the OpenAPI document of the sandbox', () => {
  let sandbox: TestSandbox
  let document: z.infer<typeof Document>
  let components: Record<string, unknown>
  beforeAll(async () => {
    sandbox = await startTestSandbox()
    const json: unknown = await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()
    document = Document.parse(json)
    components = z
      .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
      .parse(json).components.schemas
  })
  afterAll(() => sandbox.close())

  const operationOf = (method: string, path: string) => {
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`${method} ${path} is not documented`)
    return operation
  }
  /** Returns the validator of a schema, whose references refer to definitions inside it. */
  const validatorOf = (schema: object) => {
    const text = JSON.stringify({ ...schema, $defs: components })
    return z.fromJSONSchema(
      z.record(z.string(), z.json()).parse(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))),
    )
  }
  const errorNames: Readonly<Record<number, string>> = {
    400: 'BadRequest',
    401: 'Unauthorized',
    402: 'PaymentRequired',
    404: 'NotFound',
    405: 'MethodNotAllowed',
    409: 'Conflict',
    413: 'PayloadTooLarge',
    415: 'UnsupportedMediaType',
  }

  it('contains its own address, whatever the Host header', async () => {
    const { port } = new URL(sandbox.baseUrl)
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'evil.example' }
      request({ port, path: '/api/v1/openapi.json', headers }, (response) => {
        let body = ''
        response.on('data', (data: Buffer) => (body += data.toString()))
        response.on('end', () => resolve(body))
      })
        .on('error', reject)
        .end()
    })
    expect(text).not.toContain('evil.example')
    expect(Document.parse(JSON.parse(text)).servers).toEqual([{ url: sandbox.baseUrl }])
  })

  it('contains every error with its status', () => {
    expect(Object.keys(document.components.responses)).toEqual([...Object.values(errorNames), 'Error'])
    for (const methods of Object.values(document.paths)) {
      for (const { responses } of Object.values(methods)) {
        for (const [status, { $ref }] of Object.entries(responses)) {
          if (status === '200') continue
          const name = status === 'default' ? 'Error' : errorNames[Number(status)]
          expect($ref).toBe(`#/components/responses/${name}`)
        }
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '405']))
      }
    }
  })

  it('documents that HEAD of the power actions is not allowed', () => {
    for (const action of ['start', 'stop', 'reboot']) {
      expect(operationOf('GET', `/virtual-machines/{id}/${action}`).description).toContain('HEAD answers 405')
    }
  })

  it('documents the errors that were provoked', async () => {
    const anonymous = {}
    const [machine] = await sandbox.read(z.array(z.object({ id: z.string() })), '/virtual-machines')
    const long = { description: 'x'.repeat(1_000_001) }
    for (const [method, path, pattern, body, headers] of [
      ['GET', '/virtual-machines?limit=0', '/virtual-machines'],
      ['GET', '/virtual-machines', '/virtual-machines', undefined, anonymous],
      ['GET', '/virtual-machines/0', '/virtual-machines/{id}'],
      ['GET', '/images?region_id=nowhere', '/images'],
      ['PUT', '/virtual-machines', '/virtual-machines'],
      ['GET', `/virtual-machines/${machine?.id}/start`, '/virtual-machines/{id}/start'],
      ['POST', '/volumes', '/volumes', long],
      ['POST', '/volumes', '/volumes', {}],
      ['POST', '/authenticate/login', '/authenticate/login', {}, anonymous],
    ] as const) {
      const { code } = await sandbox.ask(method, path, body, headers)
      const documented = Object.entries(document.paths[pattern] ?? {}).filter(
        ([name]) => name === method.toLowerCase() || code === 405,
      )
      expect(code).toBeGreaterThanOrEqual(400)
      expect(documented.length).toBeGreaterThan(0)
      for (const [, { responses }] of documented) expect(Object.keys(responses), path).toContain(String(code))
    }
  })

  it('contains an example of every schema that the schema accepts', () => {
    const withoutExample = Object.entries(document.components.schemas)
      .filter(([, { examples }]) => examples.length === 0)
      .map(([name]) => name)
    // The tokens are secrets.
    expect(withoutExample).toEqual(['LoginResult'])
    for (const [name, { examples }] of Object.entries(document.components.schemas)) {
      for (const example of examples) {
        const result = validatorOf({ $ref: `#/components/schemas/${name}` }).safeParse(example)
        expect(result.error, name).toBeUndefined()
      }
    }
  })

  it('refers to a named schema in every request and response body', () => {
    for (const { requestBody, responses } of Object.values(document.paths).flatMap(
      Object.values<z.infer<typeof Operation>>,
    )) {
      if (requestBody !== undefined)
        expect(requestBody.content['application/json'].schema).toHaveProperty('$ref')
      const envelope = Schema.safeParse(responses['200']?.content?.['application/json'].schema)
      const data = envelope.data?.properties.data
      if (data !== undefined) expect(data.type === 'array' ? data.items : data).toHaveProperty('$ref')
    }
  })

  it('marks required fields, integers and known values', () => {
    const { schemas } = document.components
    expect(schemas.NewMachine?.required).toEqual(['name', 'flavor_id', 'ssh_key'])
    expect(schemas.Machine?.required).toEqual(
      expect.arrayContaining(['id', 'name', 'status', 'login', 'flavor']),
    )
    expect(schemas.Machine?.required).not.toContain('fixed_ip')
    expect(schemas.Machine?.properties.status?.enum).toContain('creating')
    expect(schemas.Volume?.properties.status?.enum).toContain('in-use')
    expect(schemas.Statement?.properties.status?.enum).toEqual(['paid', 'pending'])
    expect(schemas.Usage?.properties.status?.enum).toEqual(['active', 'terminated'])
    for (const [schema, field] of [
      ['Machine', 'started_time'],
      ['Volume', 'size_gb'],
      ['FirewallRule', 'port_range_min'],
      ['Usage', 'total_uptime'],
      ['ListedApiToken', 'last_used'],
      ['Flavor', 'ram'],
    ] as const) {
      expect(schemas[schema]?.properties[field]?.type, `${schema}.${field}`).toBe('integer')
    }
    expect(schemas.Flavor?.properties.price?.type).toBe('number')
  })

  it('states the enforced rules', async () => {
    const { schemas } = document.components
    expect(schemas.NewVolume?.properties.payment_currency).toMatchObject({ const: 'USD' })
    expect(schemas.NewVolume?.properties.size).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 1_048_576,
    })
    expect(schemas.NewVolume?.properties.display_name).toMatchObject({ minLength: 1, maxLength: 50 })
    expect(schemas.NewFirewallRule?.description).toMatch(/port_range_max must not be smaller/)

    const Range = z.object({ properties: z.object({ remote_ip_prefix: z.object({ pattern: z.string() }) }) })
    const [ipv4, ipv6] = z
      .array(Range)
      .parse(schemas.NewFirewallRule?.anyOf)
      .map(({ properties }) => new RegExp(properties.remote_ip_prefix.pattern))
    const key = new RegExp(z.string().parse(schemas.NewSshKey?.properties.public_key?.pattern))
    const pattern = z.string().parse(schemas.NewMachine?.properties.name?.pattern)
    expect(['10.0.0.0/8', '::/0', 'anywhere'].map((range) => ipv4?.test(range))).toEqual([true, false, false])
    expect(['10.0.0.0/8', '::/0', 'anywhere'].map((range) => ipv6?.test(range))).toEqual([false, true, false])
    expect(['ssh-ed25519 AAAA laptop', 'ssh-dss AAAA', 'AAAA'].map((text) => key.test(text))).toEqual([
      true,
      false,
      false,
    ])
    for (const name of [new RegExp(pattern), new RegExp(pattern, 'u')]) {
      const accepted = ['train-1', '🚀', 'a\nb', 'a\u0085', '\ud83d'].map((text) => name.test(text))
      expect(accepted).toEqual([true, true, false, false, false])
    }

    const [machine] = await sandbox.read(z.array(z.object({ id: z.string() })), '/virtual-machines')
    const [rule] = schemas.NewFirewallRule?.examples ?? []
    const path = `/virtual-machines/${machine?.id}/firewall-rules`
    expect(await sandbox.ask('POST', path, { ...rule, remote_ip_prefix: '::/0' })).toMatchObject({
      code: 400,
    })
    expect(await sandbox.ask('POST', path, { ...rule, port_range_max: 1 })).toMatchObject({ code: 400 })
  })

  it('describes every field of every response', async () => {
    const visited = new Set<string>()
    const check = async (method: string, pattern: string, ids: readonly string[] = [], body?: unknown) => {
      let next = 0
      const path = pattern.replace(/\{\w+\}/g, () => ids[next++] ?? '')
      const { code, ...envelope } = await sandbox.ask(method, path, body)
      expect(code, `${method} ${path}: ${envelope.message}`).toBe(200)
      const schema = operationOf(method, pattern).responses['200']?.content?.['application/json'].schema
      expect(validatorOf(schema ?? {}).safeParse(envelope).error, `${method} ${pattern}`).toBeUndefined()
      visited.add(`${method} ${pattern}`)
      return envelope.data
    }
    const create = async (path: string, schema: string) => {
      const data = await check('POST', path, [], document.components.schemas[schema]?.examples[0])
      return z.object({ id: z.string() }).parse(data).id
    }
    const advance = (seconds: number) => sandbox.control('POST', '/clock', { advance: seconds })

    const { username } = sandbox
    const signedIn = await sandbox.ask(
      'POST',
      '/authenticate/login',
      { username, password: digest(sandbox.password) },
      {},
    )
    const loginSchema = operationOf('POST', '/authenticate/login').responses['200']?.content?.[
      'application/json'
    ].schema
    const { code: _, ...envelope } = signedIn
    expect(validatorOf(loginSchema ?? {}).safeParse(envelope).error).toBeUndefined()
    visited.add('POST /authenticate/login')

    const machine = await create('/virtual-machines', 'NewMachine')
    const instance = await create('/bare-metal/instances', 'NewBareMetalInstance')
    const token = await create('/api-tokens', 'NewApiToken')
    const volume = await create('/volumes', 'NewVolume')
    await check('GET', '/virtual-machines/{id}', [machine])
    await advance(300)
    await check('GET', '/virtual-machines')
    await check('GET', '/virtual-machines/{id}', [machine])
    await check('GET', '/virtual-machines/{id}/metrics', [machine])
    await check('GET', '/bare-metal/instances/{id}', [instance])
    await check(
      'POST',
      '/virtual-machines/{id}/firewall-rules',
      [machine],
      document.components.schemas.NewFirewallRule?.examples[0],
    )
    await check('GET', '/virtual-machines/{id}/firewall-rules', [machine])
    await check('POST', '/virtual-machines/{virtual_machine_id}/volumes', [machine], { volume_ids: [volume] })
    await advance(10)
    await check('DELETE', '/virtual-machines/{virtual_machine_id}/volumes/{volume_id}', [machine, volume])
    await advance(10)
    await check('GET', '/volumes')
    await check('DELETE', '/volumes/{id}', [volume])
    for (const action of ['reboot', 'stop', 'start']) {
      await check('GET', `/virtual-machines/{id}/${action}`, [machine])
      await advance(30)
    }
    await check('DELETE', '/virtual-machines/{id}', [machine])
    for (const path of [
      '/images',
      '/flavors',
      '/bare-metal/images',
      '/bare-metal/flavors',
      '/regions',
      '/volume-types',
      '/billing/balance',
      '/billing/resources/statements',
      '/billing/resources/usage',
      '/api-tokens',
    ]) {
      await check('GET', path)
    }
    await check('PUT', '/api-tokens/{id}', [token], document.components.schemas.ApiTokenChange?.examples[0])
    await check('DELETE', '/api-tokens/{id}', [token])

    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...visited].sort()).toEqual(documented.sort())
  })
})
