import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Transport } from './transport'
import {
  type ScriptedAnswer,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
} from '../../../test/fixtures/scripted-server'
import { type Authorizer, createHttp, pageParameters } from './http'
import { createService } from './index'

const transport: Transport = {
  fetch,
  online: () => true,
  now: () => 1_700_000_000,
  timeoutSeconds: 10,
  maxAnswerBytes: 100_000,
}

let server: ScriptedServer | undefined
afterEach(() => server?.close())

/** A service that accepts `credential-1`, after a renewal `credential-2` and so on. */
const connect = async (script: (request: SeenRequest) => ScriptedAnswer) => {
  const { baseUrl, seen } = (server = await startScriptedServer(script))
  let renewals = 0
  const authorization = () => ({
    baseUrl,
    headers: { authorization: `Bearer credential-${String(renewals + 1)}` },
  })
  const authorizer: Authorizer = {
    current: () => Promise.resolve(authorization()),
    limited: () => undefined,
    renewed: () => {
      renewals += 1
      return Promise.resolve(authorization())
    },
  }
  const http = createHttp(transport, authorizer)
  return { http, service: createService(http), seen }
}

const ok = (data?: unknown, total?: number): ScriptedAnswer => ({
  body: { status: true, message: 'ok', data, total },
})

describe('the HTTP client of an account', () => {
  it('repeats a refused request once with new credentials, whatever the request', async () => {
    const { http, seen } = await connect(({ headers }) =>
      headers.authorization === 'Bearer credential-2'
        ? ok({ id: 'x' })
        : { status: 401, body: { message: 'expired' } },
    )
    const schema = z.object({ id: z.string() })
    expect(await http.send('POST', '/things', { name: 'a' }, schema)).toEqual({ id: 'x' })
    expect(seen.map(({ method, body, headers }) => [method, body, headers.authorization])).toEqual([
      ['POST', '{"name":"a"}', 'Bearer credential-1'],
      ['POST', '{"name":"a"}', 'Bearer credential-2'],
    ])
  })

  it('gives up if the new credentials are refused too', async () => {
    const { http, seen } = await connect(() => ({ status: 401, body: { message: 'no such user' } }))
    await expect(http.get('/things', z.unknown())).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'refused', message: 'no such user' },
    })
    // The third request checks whether another endpoint accepts the credentials.
    expect(seen.map(({ url }) => url)).toEqual(['/things', '/things', '/virtual-machines?limit=1'])
  })

  it('masks its credentials in a refusal that quotes them', async () => {
    const { http } = await connect(({ headers }) => ({
      status: 400,
      body: { message: `bad header: ${headers.authorization ?? ''}` },
    }))
    await expect(http.get('/things', z.unknown())).rejects.toMatchObject({
      failure: { message: 'bad header: Bearer •••' },
    })
  })

  it.each([
    [404, { status: false, message: 'not found' }],
    [405, { status: false, message: 'use another method' }],
    [501, { status: false, message: 'later' }],
    [200, { status: false, message: 'Route not found' }],
    [400, { status: false, message: 'The endpoint does not exist' }],
    [404, '<html>Not Found</html>'],
    [405, ''],
    [501, 'Not Implemented'],
    [404, { error: 'nothing here' }],
  ])(
    'reports a missing capability if its endpoint answers %i with %j and other endpoints answer',
    async (status, body) => {
      const { service } = await connect(({ url }) =>
        url === '/virtual-machines?limit=1' ? ok([], 0) : { status, body },
      )
      const what = (failure: string) => ({ failure: { kind: 'not-offered-by-service', what: failure } })
      await expect(service.regions.list()).rejects.toMatchObject(what('regions'))
      await expect(service.volumeTypes.list('r')).rejects.toMatchObject(what('volume-types'))
      await expect(service.volumes.list({})).rejects.toMatchObject(what('volume-list'))
      await expect(service.billing.balance()).rejects.toMatchObject(what('balance'))
      await expect(service.machines.get('x')).rejects.not.toMatchObject(what('machines'))
    },
  )

  it.each([
    ['a page of something in between', 404, '<html>', 'unexpected-answer'],
    ['a refusal for the moment', 503, { status: false, message: 'not found' }, 'refused-by-service'],
    ['a refusal of another thing', 200, { status: false, message: 'quota reached' }, 'refused-by-service'],
  ])('does not report a missing capability for %s', async (_, status, body, kind) => {
    const { service } = await connect(() => ({ status, body }))
    await expect(service.regions.list()).rejects.toMatchObject({ failure: { kind } })
  })

  it('does not report a missing capability for an unknown region', async () => {
    const { service } = await connect(() => ({ status: 404, body: { message: 'region_id: not found' } }))
    await expect(service.volumeTypes.list('r')).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', field: 'region_id' },
    })
  })

  it('names the part of an answer that violates the specification', async () => {
    const { service } = await connect(() => ok({ id: 7, name: 'b' }))
    await expect(service.machines.get('7')).rejects.toMatchObject({
      failure: { kind: 'unexpected-answer', expected: 'data.id: string', received: 'data.id: number' },
    })
  })

  it('reads the created volume as an object and as an array of one', async () => {
    const volume = { id: 'v', display_name: 'data', name: 'vol-1', size_gb: 10, status: 'creating' }
    const wish = { display_name: 'data', region_id: 'r', type_id: 't', size: 10 }
    for (const data of [volume, [volume]]) {
      const { service } = await connect(() => ok(data))
      expect(await service.volumes.create(wish)).toEqual(volume)
      await server?.close()
    }
    const { service } = await connect(() => ok([]))
    await expect(service.volumes.create(wish)).rejects.toMatchObject({
      failure: { kind: 'unexpected-answer' },
    })
  })

  it('reads the answer of a detachment as a record, a list, and nothing', async () => {
    const record = { _id: 'a', volume_id: 'v', status: 'detaching' }
    const answerTo = async (data: unknown) => {
      const { service } = await connect(() => ok(data))
      const detached = await service.volumes.detach('m', 'v')
      await server?.close()
      return detached
    }
    expect(await answerTo(record)).toEqual([record])
    expect(await answerTo([record, record])).toEqual([record, record])
    expect(await answerTo([])).toEqual([])
    expect(await answerTo(undefined)).toEqual([])
    expect(await answerTo(null)).toEqual([])
  })

  it('keeps undescribed fields and skips those that are null', async () => {
    const { service } = await connect(() => ok({ id: 'm', name: 'n', fixed_ip: null, rack: { row: 3 } }))
    expect(await service.machines.get('m')).toEqual({ id: 'm', name: 'n', fixed_ip: null, rack: { row: 3 } })
  })

  it('encodes unusual ids in the path', async () => {
    const { service, seen } = await connect(() => ok({ id: 'a', name: 'b' }))
    await service.machines.get('../api-tokens?x=1#y')
    expect(seen[0]?.url).toBe('/virtual-machines/..%2Fapi-tokens%3Fx%3D1%23y')
  })
})

describe('a page of a list', () => {
  it('is smaller from then on after a gateway failed at a large one', async () => {
    const { service, seen } = await connect(({ url }) =>
      url.includes('limit=1000')
        ? { status: 504, headers: { 'content-type': 'text/html' }, body: '<h1>Gateway Time-out</h1>' }
        : ok([], 0),
    )
    expect(await service.billing.usage({ limit: 1_000 })).toMatchObject({ items: [], total: 0 })
    await service.billing.usage({ limit: 1_000 })
    const limits = seen.map(({ url }) => new URL(url, 'http://127.0.0.1').searchParams.get('limit'))
    expect(limits).toEqual(['1000', '200', '200'])
  })
})

describe('the query of a page', () => {
  it('sends filters as a JSON string, and omits empty ones', () => {
    const filters = [{ key: 'name', op: 'contains', val: 'train' }] as const
    expect(pageParameters({ limit: 5, filters: [...filters] })).toMatchObject({
      limit: 5,
      filters: '[{"key":"name","op":"contains","val":"train"}]',
    })
    expect(pageParameters({ filters: [] }).filters).toBeUndefined()
  })
})

it('checks a capability again if a pause interrupted the first check', async () => {
  let pauses = 1
  const { http, seen } = await connect(({ url }) => {
    if (!url.startsWith('/virtual-machines')) return { status: 404, body: '<html>Not Found</html>' }
    return pauses-- > 0 ? { status: 429, headers: { 'retry-after': '1' }, body: {} } : ok([])
  })
  await expect(
    http.list('/volume-types', z.object({}), { capability: 'volume-types' }),
  ).rejects.toMatchObject({
    failure: { kind: 'not-offered-by-service', what: 'volume-types' },
  })
  expect(seen.map(({ url }) => url.split('?')[0])).toEqual([
    '/volume-types',
    '/virtual-machines',
    '/volume-types',
    '/virtual-machines',
  ])
})

it.each(['0', new Date(transport.now() * 1_000 - 2_000).toUTCString()])(
  'repeats a reading that was refused for a pause that has already ended: %s',
  async (retryAfter) => {
    let pauses = 1
    const { http, seen } = await connect(() =>
      pauses-- > 0 ? { status: 429, headers: { 'retry-after': retryAfter }, body: {} } : ok([{}]),
    )
    expect(await http.list('/volume-types', z.object({}))).toMatchObject({ items: [{}] })
    expect(seen).toHaveLength(2)
  },
)
