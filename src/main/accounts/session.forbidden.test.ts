import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { startOddService } from '../../../test/fixtures/odd-service/index'

/** Signs in to a service that refuses its statements to everybody. */
const begin = async (staySignedIn: boolean) => {
  const sandbox = await runSandbox()
  const odd = await startOddService(sandbox.baseUrl, ['statements-forbidden'])
  onTestFinished(() => odd.close())
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox, { staySignedIn, url: odd.baseUrl })
  const service = harness.accounts.service(account)
  const state = () => harness.accounts.view().accounts[0]?.state
  const signIns = () => odd.requests.filter((one) => one.startsWith('POST /authenticate')).length
  return { sandbox, odd, harness, account, service, state, signIns }
}

const forbidden = { failure: { kind: 'forbidden', message: 'not for this user' } }

describe('an endpoint that always answers 401', () => {
  it('is forbidden after one new sign-in, and other endpoints continue to work', async () => {
    const { odd, service, state, signIns } = await begin(true)
    for (let poll = 0; poll < 5; poll += 1) {
      await expect(service.billing.statements({})).rejects.toMatchObject(forbidden)
      expect((await service.billing.usage({ limit: 1 })).items).toHaveLength(1)
    }
    expect([signIns(), state()]).toEqual([2, 'signed-in'])
    odd.setHabits([])
    expect((await service.billing.statements({ limit: 1 })).items).toHaveLength(1)
  })

  it('does not end the session after a second manual sign-in', async () => {
    const { sandbox, harness, account, service, state, signIns } = await begin(false)
    await expect(service.billing.statements({})).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'expired' },
    })
    const { username, password } = sandbox
    const credential = { kind: 'password', username, password } as const
    await harness.accounts.signIn({ account, credential, staySignedIn: false })
    for (let poll = 0; poll < 3; poll += 1)
      await expect(service.billing.statements({})).rejects.toMatchObject(forbidden)
    expect([signIns(), state()]).toEqual([2, 'signed-in'])
  })

  it('is one endpoint, whatever the ids in its path', async () => {
    const { sandbox, service, signIns } = await begin(true)
    const { items } = await service.machines.list({ limit: 5 })
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 401, path: '/metrics', count: 100 })
    for (const { id } of items)
      await expect(service.machines.metrics(id)).rejects.toMatchObject({ failure: { kind: 'forbidden' } })
    expect(signIns()).toBe(2)
  })

  it('may be one of several, including the machines', async () => {
    const { sandbox, service, state, signIns } = await begin(true)
    for (const path of ['/virtual-machines', '/flavors', '/volumes', '/balance'])
      await control(sandbox, 'POST', '/faults', { kind: 'status', status: 401, path, count: 1_000 })
    const refused = [
      () => service.volumes.list({}),
      () => service.machines.list({}),
      () => service.flavors.list(),
      () => service.billing.balance(),
    ]
    for (let poll = 0; poll < 5; poll += 1) {
      expect((await service.images.list()).length).toBeGreaterThan(0)
      for (const ask of refused) await expect(ask()).rejects.toMatchObject({ failure: { kind: 'forbidden' } })
    }
    expect(signIns()).toBeLessThanOrEqual(1 + refused.length)
    expect(state()).toBe('signed-in')
  })

  it('ends the session if the service accepts the sign-in at no other endpoint', async () => {
    const { sandbox, service } = await begin(true)
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 401,
      method: 'GET',
      count: 100,
      message: 'who?',
    })
    await expect(service.images.list()).rejects.toMatchObject({
      failure: { kind: 'not-signed-in', reason: 'refused', message: 'who?' },
    })
    expect(await requestsTo(sandbox)).not.toContain('GET /images 200')
  })
})
