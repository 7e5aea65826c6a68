import { describe, expect, it } from 'vitest'
import { limits } from '#shared/service/limits'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'

const many = 50

/** Counts requests and successes by method and path. */
const countsOf = (requests: readonly string[]) => {
  const sums = new Map<string, { sent: number; done: number }>()
  for (const request of requests) {
    const [, name = '', status = ''] = /^(.*) (\d+)$/.exec(request) ?? []
    const { sent, done } = sums.get(name) ?? { sent: 0, done: 0 }
    sums.set(name, { sent: sent + 1, done: done + (status === '200' ? 1 : 0) })
  }
  return sums
}

/** Creates an expired session with fifty waiting requests, reads and changes. */
async function underLoad() {
  const sandbox = await runSandbox({ speed: 1 })
  const harness = await setUp()
  const { id } = await connect(harness, sandbox)
  const service = harness.accounts.service(id)
  await control(sandbox, 'POST', '/clock', { advance: limits.accessToken + 1 })
  await control(sandbox, 'DELETE', '/requests')
  const ask = () =>
    Promise.allSettled(
      Array.from({ length: many }, (_, index) =>
        index % 5 === 0
          ? service.apiTokens.create({ name: `token ${String(index)}` })
          : service.machines.list({ limit: 1, offset: index % 12 }),
      ),
    )
  const counts = async () => countsOf(await requestsTo(sandbox))
  const names = async () => (await service.apiTokens.list({ limit: 100 })).items.map(({ name }) => name)
  return { sandbox, harness, service, ask, counts, names }
}

const login = 'POST /authenticate/login'
const created = Array.from({ length: many / 5 }, (_, index) => `token ${String(index * 5)}`)

describe('fifty requests of an expired session', () => {
  it('wait for one new sign-in and are each repeated at most once; none is lost or sent twice', async () => {
    const { ask, counts, names } = await underLoad()
    const answers = await ask()
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
    const sent = await counts()
    expect(sent.get(login)).toEqual({ sent: 1, done: 1 })
    expect(sent.get('GET /virtual-machines')?.done).toBe(40)
    expect(sent.get('GET /virtual-machines')?.sent).toBeLessThanOrEqual(80)
    expect(sent.get('POST /api-tokens')?.done).toBe(10)
    expect((await names()).filter((name) => created.includes(name)).toSorted()).toEqual(created.toSorted())
  })

  it('wait as long as the new sign-in takes', async () => {
    const { sandbox, ask, counts } = await underLoad()
    await control(sandbox, 'POST', '/faults', { kind: 'delay', milliseconds: 400, path: '/login' })
    expect((await ask()).filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await counts()).get(login)).toEqual({ sent: 1, done: 1 })
  })

  it('all report that the new sign-in was refused, which is not retried', async () => {
    const { sandbox, ask, counts, names } = await underLoad()
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 401, path: '/login', count: 9 })
    for (const answer of await ask())
      expect(answer).toMatchObject({ status: 'rejected', reason: { failure: { kind: 'not-signed-in' } } })
    expect((await counts()).get(login)).toEqual({ sent: 1, done: 0 })
    await ask()
    expect((await counts()).get(login)).toEqual({ sent: 1, done: 0 })
    await expect(names()).rejects.toMatchObject({ failure: { kind: 'not-signed-in' } })
  })

  it('all fail with the connection error of the new sign-in, and later requests sign in', async () => {
    const { sandbox, ask, counts, names } = await underLoad()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', path: '/login', count: many })
    for (const answer of await ask())
      expect(answer).toMatchObject({ status: 'rejected', reason: { failure: { kind: 'cannot-connect' } } })
    expect((await counts()).get(login)).toEqual({ sent: 1, done: 0 })
    await control(sandbox, 'DELETE', '/faults')
    expect((await ask()).filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await counts()).get(login)).toEqual({ sent: 2, done: 1 })
    expect((await names()).filter((name) => created.includes(name))).toHaveLength(created.length)
  })
})
