import { describe, expect, it } from 'vitest'
import type { GpuReading } from '#shared/bridge/gpu'
import { openStore } from '../../../../test/fixtures/store'
import { coarser, type GpuSample, hour, minute } from './gpu-samples'
import { retentionSeconds, sampleTable } from './sample-table'
import { createSampling, periodFor, seriesOf } from './sampling'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'

const account = 'abcdefghijkl'
/** Start of a full hour. */
const start = 1_795_269_600

const gpu = (changes: Partial<GpuReading> = {}): GpuReading =>
  gpuReading({
    id: 'gpu-0',
    utilization: 50,
    memoryUsed: 1_024,
    memoryTotal: 4_096,
    temperature: 60,
    power: 300,
    clock: 1_980,
    ...changes,
  })
const sampling = (store: Parameters<typeof createSampling>[0]['store']) =>
  createSampling({ store, report: (action, error) => expect.fail(`${action}: ${String(error)}`) })

describe('samples', () => {
  it('are minutes with the average and the highest reading', async () => {
    const { store } = await openStore()
    const samples = sampling(store)
    samples.add(account, 'm', [gpu({ utilization: 10, temperature: 50 })], start + 4)
    samples.add(account, 'm', [gpu({ utilization: 30, temperature: 70 })], start + 8)
    samples.add(account, 'm', [gpu({ utilization: 'not-available', power: 'error' })], start + 61)
    const { gpus, period } = samples.history(account, 'm', 3_600, start + 120)
    expect(period).toBe(minute)
    expect(gpus).toEqual([
      {
        gpu: 'gpu-0',
        index: 0,
        time: Float64Array.of(start, start + 60),
        utilization: Float64Array.of(20, NaN),
        memory: Float64Array.of(25, 25),
        temperature: Float64Array.of(70, 60),
        power: Float64Array.of(300, NaN),
      },
    ])
  })

  it('are stored for no more GPUs than a machine can have, even if their ids change at each reading', async () => {
    const { store } = await openStore()
    const samples = sampling(store)
    for (let reading = 0; reading < 60; reading += 1) {
      const gpus = Array.from({ length: 64 }, (_, index) => gpu({ id: `GPU-${reading}-${index}`, index }))
      samples.add(account, 'm', gpus, start + 4 * reading)
    }
    expect(samples.history(account, 'm', 3_600, start + 300).gpus).toHaveLength(64)
    samples.forget(account, ['m'])
    samples.add(account, 'm', [gpu()], start + 300)
    expect(samples.history(account, 'm', 3_600, start + 300).gpus).toMatchObject([{ gpu: 'gpu-0' }])
  })

  it('survive a restart, including the current minute', async () => {
    const { store } = await openStore()
    const before = sampling(store)
    before.add(account, 'm', [gpu({ utilization: 10 })], start + 4)
    before.flush()
    const after = sampling(store)
    after.add(account, 'm', [gpu({ utilization: 40 })], start + 30)
    after.flush()
    const [series] = after.history(account, 'm', 3_600, start + 60).gpus
    expect(series?.utilization).toEqual(Float64Array.of(25))
    expect(after.loads(account, 'm', start, 5)).toMatchObject([{ time: start, busiest: 40, average: 25 }])
  })

  it('report the load of the busiest GPU, and null if one GPU reported nothing', async () => {
    const { store } = await openStore()
    const samples = sampling(store)
    const two = (one: GpuReading['utilization'], other: GpuReading['utilization'], at: number) =>
      samples.add(
        account,
        'm',
        [gpu({ utilization: one }), gpu({ id: 'gpu-1', index: 1, utilization: other })],
        at,
      )
    two(1, 80, start)
    two(0, 0, start + 60)
    two(0, 'not-available', start + 120)
    samples.flush()
    expect(samples.loads(account, 'm', start, 5).map(({ time, busiest }) => [time, busiest])).toEqual([
      [start, 80],
      [start + 60, 0],
      [start + 120, null],
    ])
  })

  it('are thinned as they age: minutes last a week, hours 90 days', async () => {
    const { database } = await openStore()
    const table = sampleTable(database)
    const row = (time: number, utilization: number): GpuSample => ({
      gpu: 'gpu-0',
      index: 0,
      time,
      samples: 1,
      utilization,
      utilizationMax: utilization,
      activity: null,
      isEstimated: false,
      memoryUsed: 1,
      memoryTotal: 2,
      temperatureMax: 3,
      power: 4,
    })
    table.add(account, 'm', [row(start, 10), row(start + 60, 30), row(start + hour, 90)])
    const week = start + retentionSeconds[minute]
    expect(table.thin(week)).toBe(false)
    expect(table.read(account, 'm', minute, 0)).toHaveLength(3)

    table.thin(week + hour)
    expect(table.read(account, 'm', minute, 0).map(({ time }) => time)).toEqual([start + hour])
    expect(table.read(account, 'm', hour, 0)).toEqual([
      expect.objectContaining({ time: start, samples: 2, utilization: 20, utilizationMax: 30 }),
    ])
    table.thin(start + retentionSeconds[hour] + 1)
    expect(table.read(account, 'm', hour, 0).map(({ time }) => time)).toEqual([start + hour])
  })

  it('are thinned in steps that do not block the window', async () => {
    const { database } = await openStore()
    const table = sampleTable(database)
    const rows = Array.from({ length: 2_500 }, (_, at): GpuSample => ({
      gpu: 'gpu-0',
      index: 0,
      time: start + at * 60,
      samples: 1,
      utilization: 1,
      utilizationMax: 1,
      activity: null,
      isEstimated: false,
      memoryUsed: 1,
      memoryTotal: 2,
      temperatureMax: 3,
      power: 4,
    }))
    table.add(account, 'm', rows)
    const late = start + retentionSeconds[minute] + 2_500 * 60 + hour
    expect(table.thin(late)).toBe(true)
    expect(table.thin(late)).toBe(false)
    const hours = table.read(account, 'm', hour, 0)
    expect(hours.reduce((sum, { samples }) => sum + samples, 0)).toBe(2_500)
    expect(table.read(account, 'm', minute, 0)).toEqual([])
  })

  it('survive when another machine or account is forgotten', async () => {
    const { store } = await openStore()
    const samples = sampling(store)
    for (const [owner, machine] of [
      [account, 'm'],
      [account, 'n'],
      ['mnopqrstuvwx', 'm'],
    ] as const)
      samples.add(owner, machine, [gpu()], start)
    samples.flush()
    samples.forget(account, ['m'])
    const left = (owner: string, machine: string) => samples.loads(owner, machine, 0, 5).length
    expect([left(account, 'm'), left(account, 'n'), left('mnopqrstuvwx', 'm')]).toEqual([0, 1, 1])
    samples.forgetAccount(account)
    expect([left(account, 'n'), left('mnopqrstuvwx', 'm')]).toEqual([0, 1])
  })

  it('are empty without a store', () => {
    const samples = sampling({ database: () => undefined, state: () => ({ kind: 'opening' }) })
    samples.add(account, 'm', [gpu()], start)
    samples.add(account, 'm', [gpu()], start + 60)
    expect(samples.history(account, 'm', 3_600, start + 60)).toMatchObject({ kept: false })
    expect(samples.loads(account, 'm', 0, 5)).toEqual([])
  })
})

describe('a chart', () => {
  it('has no more points than pixels, whatever its period', () => {
    expect([3_600, 86_400, 604_800, 7_776_000].map(periodFor)).toEqual([60, 300, 3_600, 21_600])
  })

  it('shows a gap if nothing was read', () => {
    const at = (time: number): GpuSample => ({
      gpu: 'gpu-0',
      index: 0,
      time,
      samples: 1,
      utilization: 5,
      utilizationMax: 5,
      activity: null,
      isEstimated: false,
      memoryUsed: null,
      memoryTotal: null,
      temperatureMax: null,
      power: null,
    })
    const [series] = seriesOf(coarser([at(start), at(start + 60), at(start + 600)], 60), 60)
    expect(series?.time).toEqual(Float64Array.of(start, start + 60, start + 120, start + 600))
    expect(series?.utilization).toEqual(Float64Array.of(5, 5, NaN, 5))
  })
})
