import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ScriptedServer, startScriptedServer } from '../../../test/fixtures/scripted-server'
import type { Transport } from './transport'
import { createHttp } from './http'
import { createService } from './index'

let server: ScriptedServer | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
})

/** A service that answers by `script`, and the number of new connections. */
const connect = async (script: Parameters<typeof startScriptedServer>[0]) => {
  const { baseUrl, seen } = (server = await startScriptedServer(script))
  let fresh = 0
  const transport: Transport = {
    fetch,
    freshFetch: () => {
      fresh += 1
      return Promise.resolve({ fetch, done: () => undefined })
    },
    online: () => true,
    now: () => 1_700_000_000,
    timeoutSeconds: 10,
    maxAnswerBytes: 100_000,
  }
  let renewals = 0
  const authorization = () => ({ baseUrl, headers: { authorization: `Bearer ${String(renewals)}` } })
  const http = createHttp(transport, {
    current: () => Promise.resolve(authorization()),
    limited: () => undefined,
    renewed: () => {
      renewals += 1
      return Promise.resolve(authorization())
    },
  })
  return { service: createService(http), seen, fresh: () => fresh }
}

const done = { body: { status: true, message: 'ok' } }

describe('starting, stopping and rebooting', () => {
  it('are GETs over new connections, unlike readings', async () => {
    const { service, seen, fresh } = await connect(() => done)
    for (const action of ['start', 'stop', 'reboot'] as const) await service.power.change('a/b', action)
    expect(fresh()).toBe(3)
    await service.machines.get('x').catch(() => undefined)
    expect(fresh()).toBe(3)
    expect(seen.map(({ method, url }) => `${method} ${url.replace(/^.*\/virtual/, '/virtual')}`)).toEqual([
      'GET /virtual-machines/a%2Fb/start',
      'GET /virtual-machines/a%2Fb/stop',
      'GET /virtual-machines/a%2Fb/reboot',
      'GET /virtual-machines/x',
    ])
  })

  it('are sent once if no answer comes or the service fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const silent = await connect(() => {
      setImmediate(() => vi.advanceTimersByTime(10_000))
      return { then: 'hang', body: 'text' }
    })
    await expect(silent.service.power.change('x', 'stop')).rejects.toMatchObject({
      failure: { kind: 'timed-out' },
    })
    vi.useRealTimers()
    expect(silent.seen).toHaveLength(1)
    await server?.close()
    const broken = await connect(() => ({ status: 503, body: { message: 'later' } }))
    await expect(broken.service.power.change('x', 'stop')).rejects.toMatchObject({
      failure: { kind: 'refused-by-service', status: 503 },
    })
    expect(broken.seen).toHaveLength(1)
  })

  it('are repeated once if the credentials were refused, as nothing was done', async () => {
    const { service, seen, fresh } = await connect(({ headers }) =>
      headers.authorization === 'Bearer 0' ? { status: 401, body: { message: 'expired' } } : done,
    )
    await service.power.change('x', 'reboot')
    expect(seen).toHaveLength(2)
    expect(fresh()).toBe(2)
  })
})
