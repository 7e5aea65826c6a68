import { describe, expect, it } from 'vitest'
import { limits } from '#shared/service/limits'
import {
  connect,
  connectWithToken,
  control,
  requestsTo,
  runSandbox,
  setUp,
} from '../../../test/fixtures/account-harness'

const login = 'POST /authenticate/login 200'

/** Counts the requests by name. */
const counts = (requests: readonly string[]): Record<string, number> =>
  requests.reduce<Record<string, number>>((sums, one) => ({ ...sums, [one]: (sums[one] ?? 0) + 1 }), {})

const setUpSession = async (staySignedIn: boolean) => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id } = await connect(harness, sandbox, { staySignedIn })
  await control(sandbox, 'DELETE', '/requests')
  const service = harness.accounts.service(id)
  const accountNow = () => harness.accounts.view().accounts[0]
  return { sandbox, harness, id, service, accountNow }
}

describe('a session that expires', () => {
  it('is renewed once for any number of requests, each of which is repeated once', async () => {
    const { sandbox, service, accountNow } = await setUpSession(true)
    await control(sandbox, 'POST', '/clock', { advance: limits.accessToken + 1 })
    const pages = await Promise.all(Array.from({ length: 8 }, () => service.machines.list({ limit: 1 })))
    expect(pages.map(({ total }) => total)).toEqual(Array.from({ length: 8 }, () => 12))
    expect(counts(await requestsTo(sandbox))).toEqual({
      'GET /virtual-machines 401': 8,
      [login]: 1,
      'GET /virtual-machines 200': 8,
    })
    expect(accountNow()).toMatchObject({ state: 'signed-in', failure: null })
  })

  it('is renewed before a refusal if the token contains its expiry', async () => {
    const { sandbox, harness, service } = await setUpSession(true)
    await control(sandbox, 'POST', '/clock', { advance: limits.accessToken + 1 })
    harness.ahead = limits.accessToken + 1
    await Promise.all([service.machines.list({ limit: 1 }), service.images.list()])
    expect(counts(await requestsTo(sandbox))).toEqual({
      [login]: 1,
      'GET /virtual-machines 200': 1,
      'GET /images 200': 1,
    })
  })

  it('is not renewed again and again if this clock is ahead of the service', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    harness.ahead = 10 * limits.refreshToken
    const { id } = await connect(harness, sandbox)
    for (let count = 0; count < 3; count += 1) await harness.accounts.service(id).images.list()
    expect(counts(await requestsTo(sandbox))).toEqual({
      'GET /virtual-machines 401': 1,
      [login]: 1,
      'GET /images 200': 3,
    })
  })

  it('ends if the user did not choose to stay signed in, and all waiting requests report that', async () => {
    const { sandbox, service, accountNow } = await setUpSession(false)
    await control(sandbox, 'POST', '/clock', { advance: limits.accessToken + 1 })
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => service.images.list()))
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 'rejected',
        reason: { failure: { kind: 'not-signed-in', reason: 'expired' } },
      })
    }
    expect(accountNow()).toMatchObject({
      state: 'signed-out',
      failure: { kind: 'not-signed-in', reason: 'expired' },
    })
    expect(counts(await requestsTo(sandbox))).toEqual({ 'GET /images 401': 5 })
    await expect(service.images.list()).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'expired' },
    })
    expect(await requestsTo(sandbox)).toHaveLength(5)
  })

  it('sends no requests once the refresh token has expired too', async () => {
    const { sandbox, harness, service } = await setUpSession(false)
    harness.ahead = limits.refreshToken + 1
    await expect(service.images.list()).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'expired' },
    })
    expect(await requestsTo(sandbox)).toEqual([])
  })

  it('ends if the password has changed, and is retried only by the user', async () => {
    const { sandbox, harness, service, accountNow } = await setUpSession(true)
    await control(sandbox, 'DELETE', '/sessions')
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 401,
      path: '/login',
      message: 'changed',
    })
    const refused = { failure: { kind: 'not-signed-in', reason: 'refused', message: 'changed' } }
    await expect(service.images.list()).rejects.toMatchObject(refused)
    expect(accountNow()).toMatchObject({ state: 'signed-out', ...refused })
    await expect(service.images.list()).rejects.toMatchObject(refused)
    await harness.accounts.resume()
    expect(counts(await requestsTo(sandbox))).toEqual({
      'GET /images 401': 1,
      'POST /authenticate/login 401': 1,
    })
  })

  it('stays alive while the service is unreachable', async () => {
    const { sandbox, service, accountNow } = await setUpSession(true)
    await control(sandbox, 'DELETE', '/sessions')
    await control(sandbox, 'POST', '/faults', { kind: 'drop', path: '/login' })
    await expect(service.images.list()).rejects.toMatchObject({ failure: { kind: 'cannot-connect' } })
    expect(accountNow()).toMatchObject({ state: 'signed-in' })
    expect((await service.images.list()).length).toBeGreaterThan(0)
  })

  it('ends if its API token was revoked', async () => {
    const sandbox = await runSandbox()
    const harness = await setUp()
    const { id } = await connectWithToken(harness, sandbox)
    const service = harness.accounts.service(id)
    const { items } = await service.apiTokens.list({})
    const own = items.find(({ token }) => token === sandbox.apiToken)
    await control(sandbox, 'DELETE', `/api-tokens/${own?.id ?? ''}`)
    await expect(service.images.list()).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'refused', message: 'the API token has been revoked' },
    })
    expect(harness.accounts.view().accounts).toMatchObject([
      { state: 'signed-out', failure: { kind: 'not-signed-in', reason: 'refused' } },
    ])
  })
})

describe('a creation', () => {
  const volume = { display_name: 'scratch', region_id: '', type_id: '', size: 10 }

  it('is sent once if the connection breaks afterwards', async () => {
    const { sandbox, service } = await setUpSession(true)
    const [type] = await service.volumeTypes.list()
    await control(sandbox, 'POST', '/faults', {
      kind: 'drop',
      when: 'after',
      method: 'POST',
      path: '/volumes',
    })
    const wish = { ...volume, type_id: type?.id ?? '', region_id: String(type?.region_id) }
    await expect(service.volumes.create(wish)).rejects.toMatchObject({ failure: { kind: 'cannot-connect' } })
    const requests = await requestsTo(sandbox)
    expect(requests.filter((one) => one.startsWith('POST /volumes'))).toHaveLength(1)
  })

  it('is repeated after a renewal, since the service refused it before acting', async () => {
    const { sandbox, service } = await setUpSession(true)
    const [type] = await service.volumeTypes.list()
    await control(sandbox, 'DELETE', '/sessions')
    const wish = { ...volume, type_id: type?.id ?? '', region_id: String(type?.region_id) }
    expect(await service.volumes.create(wish)).toMatchObject({ display_name: 'scratch', status: 'creating' })
    const requests = await requestsTo(sandbox)
    expect(requests.filter((one) => one.includes('/volumes'))).toEqual([
      'POST /volumes 401',
      'POST /volumes 200',
    ])
  })
})
