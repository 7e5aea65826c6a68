import { describe, expect, it } from 'vitest'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'

const minute = 60

const begin = async (retryAfter: string, fault: object = {}, options: Parameters<typeof setUp>[0] = {}) => {
  const sandbox = await runSandbox()
  const harness = await setUp(options)
  const { id: account } = await connect(harness, sandbox)
  const service = harness.accounts.service(account)
  await control(sandbox, 'POST', '/faults', {
    kind: 'status',
    status: 429,
    headers: { 'retry-after': retryAfter },
    ...fault,
  })
  await control(sandbox, 'DELETE', '/requests')
  const heldFor = (): number | null => {
    const until = harness.accounts.view().accounts[0]?.heldUntil ?? null
    return until === null ? null : Math.round(until - Date.now() / 1000 - harness.ahead)
  }
  return { sandbox, harness, account, service, heldFor }
}

const paused = { failure: { kind: 'rate-limited', until: expect.any(Number) } }

describe('a pause that the service requests', () => {
  it.each([
    ['in seconds', () => '120'],
    ['as an HTTP date', () => new Date(Date.now() + 120_000).toUTCString()],
  ])('holds every request of the account until it ends: %s', async (_, retryAfter) => {
    const { sandbox, harness, service, heldFor } = await begin(retryAfter())
    await expect(service.images.list()).rejects.toMatchObject(paused)
    expect(heldFor()).toBeGreaterThanOrEqual(118)
    await expect(service.machines.list({})).rejects.toMatchObject(paused)
    await expect(service.apiTokens.create({ name: 'x' })).rejects.toMatchObject(paused)
    expect(await requestsTo(sandbox)).toEqual(['GET /images 429'])
    harness.ahead = 121
    expect(heldFor()).toBeNull()
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it.each(['86400', '9'.repeat(400), new Date(9e12).toUTCString()])(
    'lasts 15 minutes at most: %s',
    async (retryAfter) => {
      const { service, heldFor } = await begin(retryAfter)
      await expect(service.images.list()).rejects.toMatchObject(paused)
      expect(heldFor()).toBe(15 * minute)
    },
  )

  it('ends when the user retries', async () => {
    const { harness, account, service, heldFor } = await begin('600')
    await expect(service.images.list()).rejects.toMatchObject(paused)
    await harness.accounts.handlers['accounts.tryNow']({ account })
    expect(heldFor()).toBeNull()
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it('ends when the user connects again', async () => {
    const { sandbox, harness, service, heldFor } = await begin('600')
    await expect(service.images.list()).rejects.toMatchObject(paused)
    await connect(harness, sandbox)
    expect(heldFor()).toBeNull()
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it('does not get longer if the clock is set back', async () => {
    const { harness, service, heldFor } = await begin('600')
    await expect(service.images.list()).rejects.toMatchObject(paused)
    harness.ahead = -86_400
    expect(heldFor()).toBeNull()
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it('repeats no request that changes something', async () => {
    const { sandbox, harness, account, service } = await begin('600', { method: 'POST' })
    const [type] = await service.volumeTypes.list()
    const wanted = { display_name: 'a', region_id: String(type?.region_id), type_id: type?.id ?? '', size: 1 }
    await expect(service.volumes.create(wanted)).rejects.toMatchObject(paused)
    await harness.accounts.handlers['accounts.tryNow']({ account })
    await service.images.list()
    const requests = await requestsTo(sandbox)
    expect(requests.filter((one) => one.startsWith('POST'))).toEqual(['POST /volumes 429'])
  })

  it('also begins with a refused sign-in', async () => {
    const { sandbox, service } = await begin('600', { path: '/login' })
    await control(sandbox, 'DELETE', '/sessions')
    await expect(service.images.list()).rejects.toMatchObject({ failure: { kind: 'rate-limited' } })
    await expect(service.images.list()).rejects.toMatchObject(paused)
    expect(await requestsTo(sandbox)).toEqual(['GET /images 401', 'POST /authenticate/login 429'])
  })

  it('does not begin with a 429 without a time', async () => {
    const { service, heldFor } = await begin('')
    await expect(service.images.list()).rejects.toMatchObject({ failure: { kind: 'rate-limited' } })
    expect(heldFor()).toBeNull()
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it('if short, delays a read request, which is then repeated', async () => {
    const { sandbox, service, heldFor } = await begin('2', { count: 2 }, { waitsEnd: true })
    const [first, second] = await Promise.all([service.images.list(), service.images.list()])
    expect(first.length).toBeGreaterThan(0)
    expect(second).toEqual(first)
    expect(heldFor()).toBeNull()
    const requests = await requestsTo(sandbox)
    expect(requests.filter((one) => one.endsWith('429'))).toHaveLength(2)
  })

  it('if short, delays a changing request, which is not repeated after its own refusal', async () => {
    const { sandbox, service } = await begin('2', { method: 'POST' }, { waitsEnd: true })
    await expect(service.apiTokens.create({ name: 'refused' })).rejects.toMatchObject(paused)
    expect(await service.apiTokens.create({ name: 'delayed' })).toMatchObject({ name: 'delayed' })
    expect(await requestsTo(sandbox)).toEqual(['POST /api-tokens 429', 'POST /api-tokens 200'])
  })

  it('also begins with a 503, after which a change may have been made', async () => {
    const { sandbox, service, heldFor } = await begin('60', { status: 503, count: 2 })
    await expect(service.images.list()).rejects.toMatchObject(paused)
    expect(heldFor()).toBeGreaterThanOrEqual(58)
    const other = await begin('60', { status: 503, method: 'POST' })
    await expect(other.service.apiTokens.create({ name: 'x' })).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', status: 503 },
    })
    await expect(other.service.images.list()).rejects.toMatchObject(paused)
    expect(await requestsTo(sandbox)).toEqual(['GET /images 503'])
  })

  it('ends a read request if it begins again and again', async () => {
    const { sandbox, service } = await begin('2', { count: 100 }, { waitsEnd: true })
    await expect(service.images.list()).rejects.toMatchObject(paused)
    expect(await requestsTo(sandbox)).toHaveLength(6)
  })
})
