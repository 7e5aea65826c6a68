import { describe, expect, it, onTestFinished } from 'vitest'
import { createFleet } from '../../src/main/fleet/index'
import { createUsage } from '../../src/main/usage/index'
import { createVolumes } from '../../src/main/volumes/index'
import { connect, runSandbox, setUp } from '../fixtures/account-harness'
import { fakeClock } from '../fixtures/fake-clock'
import { flakySettings } from '../fixtures/flaky-settings'
import { bodyFaults } from './proxy/body-faults'
import { connectionFaults } from './proxy/connection-faults'
import { startFaultProxy } from './proxy/fault-proxy'
import { statusFaults } from './proxy/status-faults'
import { answers, type Fault } from './proxy/wire'

/** Faults of the proxy that need no other limits of the client. */
const faults = Object.entries<Fault>({ ...connectionFaults, ...statusFaults, ...bodyFaults }).filter(
  ([, { act, timeLimit, sizeLimit }]) => act && timeLimit === undefined && sizeLimit === undefined,
)

const begin = async () => {
  const sandbox = await runSandbox()
  const proxy = await startFaultProxy(sandbox.baseUrl)
  onTestFinished(() => proxy.close())
  const way = proxy.openWay('lists')
  const harness = await setUp({ waitsEnd: true })
  const account = (await connect(harness, sandbox, { url: way.baseUrl })).id
  const { accounts } = harness
  const clock = fakeClock()
  const fleet = createFleet({ accounts, clock, online: () => true })
  const volumes = createVolumes({
    accounts,
    documents: flakySettings(),
    usage: createUsage({ accounts, clock }),
    extensions: {
      mayList: () => true,
      list: (id, page) => accounts.service(id).volumes.list(page),
      types: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
    },
    regions: () => Promise.resolve([]),
    clock,
    online: () => true,
    report: () => undefined,
  })
  onTestFinished(() => fleet.close())
  onTestFinished(() => volumes.close())
  const read = async () => {
    await fleet.refresh(account)
    await volumes.handlers['volumes.refresh']({ account })
    const machines = fleet.snapshot(account)
    const listed = volumes.snapshot(account)
    return {
      machines: machines?.machines.map(({ id }) => id).toSorted(),
      volumes: listed.volumes.map(({ id }) => id).toSorted(),
      failures: [machines?.status.failure?.kind, listed.status.failure?.kind],
    }
  }
  /** Waits for the service's pause, and signs in again after the session has ended. */
  const recover = async () => {
    way.fault = null
    harness.ahead += 901
    await connect(harness, sandbox, { url: way.baseUrl })
  }
  return { way, read, recover }
}

describe('the lists of machines and volumes', () => {
  it('keep their data through every fault, and recover', async () => {
    const { way, read, recover } = await begin()
    const good = await read()
    expect(good).toMatchObject({ failures: [undefined, undefined] })
    expect(good.machines).toHaveLength(12)
    expect(good.volumes).not.toHaveLength(0)
    for (const [name, fault] of faults) {
      way.fault = fault
      // A machine leaves when two lists lack it.
      await read()
      const kept = await read()
      expect({ ...kept, name }).toMatchObject({ machines: good.machines, volumes: good.volumes })
      await recover()
      expect({ ...(await read()), name }).toEqual({ ...good, name })
    }
  })

  it('drop rows that complete lists lack, and so are not simply frozen', async () => {
    const { way, read } = await begin()
    const empty = answers(200, { status: true, total: 0, data: [] })
    const gone = answers(404, { status: false, message: 'Not found' })
    await read()
    way.fault = {
      what: 'everything was deleted elsewhere',
      act: (exchange) => (exchange.query.has('limit') ? empty(exchange) : gone(exchange)),
      expected: 'whole',
    }
    await read()
    expect(await read()).toMatchObject({ machines: [], volumes: [] })
  })
})
