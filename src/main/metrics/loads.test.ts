import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { createLoads, lastHourOf } from './loads'

const open = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const clock = fakeClock(Date.now() / 1000)
  const loads = createLoads({ accounts: harness.accounts, now: clock.now })
  const service = harness.accounts.service(account)
  const { items } = await service.machines.list({ limit: 100 })
  const named = (name: string): string => items.find((one) => one.name === name)?.id ?? ''
  await control(sandbox, 'DELETE', '/requests')
  const asked = async () => (await requestsTo(sandbox)).length
  return { sandbox, account, clock, loads, named, asked }
}

describe('the load of the last hour', () => {
  it('has thirty points and the newest value', async () => {
    const { loads, account, named } = await open()
    const busy = await loads.lastHour(account, named('train-llama-01'))
    expect(busy?.cpu).toHaveLength(30)
    expect(busy?.now).toBeGreaterThan(5)
    const idle = await loads.lastHour(account, named('old-experiment'))
    expect(idle?.now).toBeLessThan(10)
  })

  it('is requested at most every five minutes, whoever asks and whatever the answer', async () => {
    const { loads, account, clock, named, asked, sandbox } = await open()
    const machine = named('train-llama-01')
    await Promise.all([loads.lastHour(account, machine), loads.lastHour(account, machine)])
    clock.set(clock.now() + 299)
    await loads.lastHour(account, machine)
    await loads.cpu(account, machine, 3_600)
    expect(await asked()).toBe(1)
    clock.set(clock.now() + 1)
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: '/metrics' })
    expect(await loads.lastHour(account, machine)).toBeNull()
    expect(await loads.lastHour(account, machine)).toBeNull()
    expect(await asked()).toBe(2)
  })

  it('is requested again soon after the clock was set back', async () => {
    const { loads, account, clock, named, asked } = await open()
    const machine = named('train-llama-01')
    await loads.lastHour(account, machine)
    clock.set(clock.now() - 86_400)
    await loads.lastHour(account, machine)
    await loads.lastHour(account, machine)
    expect(await asked()).toBe(2)
  })

  it('is requested again for a longer period, which also covers the hour', async () => {
    const { loads, account, named, asked } = await open()
    const machine = named('serve-embeddings')
    await loads.lastHour(account, machine)
    const series = await loads.cpu(account, machine, 5 * 3_600)
    expect(series?.times.length).toBe(360)
    expect((await loads.lastHour(account, machine))?.cpu).toHaveLength(30)
    expect(await asked()).toBe(2)
  })

  it('covers two hours in memory, however much was read', async () => {
    const { loads, account, clock, named, asked } = await open()
    const machine = named('serve-embeddings')
    await loads.cpu(account, machine, 5 * 3_600)
    const kept = await loads.cpu(account, machine, 2 * 3_600)
    expect(kept?.times[0]).toBeGreaterThan(clock.now() - 2 * 3_600)
    expect(kept?.times.length).toBeGreaterThan(115)
    expect(await asked()).toBe(1)
    await loads.cpu(account, machine, 5 * 3_600)
    expect(await asked()).toBe(2)
  })

  it('does not replace a longer period that is requested at the same time', async () => {
    const { loads, account, named, asked } = await open()
    const machine = named('serve-embeddings')
    const [hour, long, longToo] = await Promise.all([
      loads.lastHour(account, machine),
      loads.cpu(account, machine, 5 * 3_600),
      loads.cpu(account, machine, 5 * 3_600),
    ])
    expect(hour?.cpu).toHaveLength(30)
    expect([long?.times.length, longToo?.times.length]).toEqual([360, 360])
    expect(await asked()).toBe(2)
  })

  it('has gaps if nothing was recorded, and no current value if the last one is old', () => {
    const asOf = 100_000
    const series = {
      times: Float64Array.of(asOf - 3_599, asOf - 3_590, asOf - 3_581, asOf - 700),
      values: Float64Array.of(10, 20, 15, 30),
    }
    const { cpu, now } = lastHourOf(series, asOf)
    expect(cpu[0]).toBe(15)
    expect(cpu[24]).toBe(30)
    expect(Array.from(cpu).filter(Number.isNaN)).toHaveLength(28)
    expect(now).toBeNull()
  })

  it('has no gaps if the service records every five minutes, unless a record is missing', () => {
    const asOf = 100_000
    const ages = [3_500, 3_200, 2_900, 2_600, 2_300, 2_000, 500, 200]
    const known = lastHourOf(
      {
        // `clean` marks a gap by a NaN one step after the last point.
        times: Float64Array.of(...ages.slice(0, 6), 1_700, ...ages.slice(6)).map((age) => asOf - age),
        values: Float64Array.of(1, 2, 3, 4, 5, 6, Number.NaN, 7, 8),
      },
      asOf,
    ).cpu
    const one = (value: number, count: number) => Array.from({ length: count }, () => value)
    expect(Array.from(known)).toEqual([
      ...one(1, 3),
      ...one(2, 2),
      ...one(3, 3),
      ...one(4, 2),
      ...one(5, 3),
      ...one(6, 2),
      ...one(Number.NaN, 10),
      ...one(7, 3),
      ...one(8, 2),
    ])
  })
})
