import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, onTestFinished } from 'vitest'
import { metricKeys, type MetricPeriod, unpackSeries } from '#shared/bridge/metrics'
import { durationSeconds, metricDurations } from '#shared/service/metrics'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { createMetrics, type MetricsDeps } from './index'
import { createLoads } from './loads'

type MachineMetrics = ReturnType<typeof createMetrics>

const readAll = async (
  metrics: MachineMetrics,
  query: Parameters<MachineMetrics['handlers']['metrics.read']>[0],
) => {
  const view = await metrics.handlers['metrics.read'](query)
  return { ...view, series: unpackSeries(view.series) }
}

const open = async (options: { readonly speed?: number } = {}) => {
  const sandbox = await runSandbox(options)
  const harness = await setUp()
  const { id: account } = await connect(harness, sandbox)
  const clock = fakeClock(Math.floor(Date.now() / 1000))
  const folder = mkdtempSync(join(tmpdir(), 'metrics-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const offered: string[] = []
  const answers = { target: true }
  let gpusOf: MetricsDeps['gpus'] = () => []
  const metrics = createMetrics({
    accounts: harness.accounts,
    loads: createLoads({ accounts: harness.accounts, now: clock.now }),
    gpus: (...query) => gpusOf(...query),
    now: clock.now,
    after: clock.after,
    chooseTarget: async (name) => {
      offered.push(name)
      return answers.target ? join(folder, name) : null
    },
  })
  const { items } = await harness.accounts.service(account).machines.list({ limit: 100 })
  const named = (name: string): string => items.find((one) => one.name === name)?.id ?? ''
  await control(sandbox, 'DELETE', '/requests')
  const read = (
    machine: string,
    period: MetricPeriod,
    more: { range?: [number, number]; fresh?: boolean } = {},
  ) =>
    readAll(metrics, {
      account,
      machine: named(machine),
      period,
      range: more.range ? { from: more.range[0], to: more.range[1] } : null,
      width: 600,
      fresh: more.fresh ?? false,
    })
  const asked = async () => (await requestsTo(sandbox)).length
  const useGpus = (next: MetricsDeps['gpus']): void => {
    gpusOf = next
  }
  return { sandbox, account, clock, metrics, named, read, asked, folder, offered, answers, useGpus }
}

describe('the metrics of a machine', () => {
  it('cover every period of the specification, and everything', async () => {
    const { read, clock } = await open()
    for (const period of metricDurations) {
      const { whole, points, units } = await read('serve-embeddings', period)
      expect(whole).toEqual({ from: clock.now() - durationSeconds[period], to: clock.now() })
      expect(points).toBeGreaterThanOrEqual(durationSeconds[period] / 60 - 1)
      expect(units).toEqual({ cpu: '%', memory: '%', disk: 'GB', network: 'GB' })
    }
    const all = await read('serve-embeddings', 'all')
    expect(all.points).toBe(43_200)
    expect(all.whole.to - all.whole.from).toBeGreaterThan(29 * 86_400)
  })

  it('are thinned to the pixels, and a part of them is thinned again without a request', async () => {
    const { read, clock, asked } = await open()
    const month = await read('serve-embeddings', '30d')
    for (const key of metricKeys) {
      expect(month.series[key].times.length).toBeGreaterThan(600)
      expect(month.series[key].times.length).toBeLessThanOrEqual(1_806)
    }
    clock.set(clock.now() + 3_600)
    const hour = await read('serve-embeddings', '30d', {
      range: [month.whole.to - 7_200, month.whole.to - 3_600],
    })
    expect(hour.series.cpu.times.length).toBeGreaterThanOrEqual(60)
    expect(hour.series.cpu.times.length).toBeLessThanOrEqual(63)
    expect(hour.step).toBe(60)
    expect(await asked()).toBe(1)
  })

  it('are requested once for all callers, and later only their new part', async () => {
    const { read, clock, asked, sandbox } = await open()
    await Promise.all([read('serve-embeddings', '30d'), read('serve-embeddings', '30d')])
    await read('serve-embeddings', '30d')
    expect(await asked()).toBe(1)
    clock.set(clock.now() + 120)
    await control(sandbox, 'POST', '/clock', { advance: 120 })
    const later = await read('serve-embeddings', '30d', { fresh: true })
    expect(later.whole.to).toBe(clock.now())
    const newest = await read('serve-embeddings', '30d', { range: [clock.now() - 3_600, clock.now()] })
    expect(newest.series.cpu.times.at(-1)).toBeGreaterThan(clock.now() - 120)
    expect(later.points).toBeGreaterThanOrEqual(43_199)
    expect(later.points).toBeLessThanOrEqual(43_201)
    const answer = await control(sandbox, 'GET', '/requests')
    expect(JSON.stringify(answer)).toContain('duration=1h')
  })

  it('are empty for a machine without metrics, and a failure for an unknown machine', async () => {
    // At the tests' usual speed it runs after a second or two.
    const { read, metrics, account } = await open({ speed: 1 })
    const none = await read('train-llama-03', '1d')
    expect(none.points).toBe(0)
    const missing = metrics.handlers['metrics.read']({
      account,
      machine: 'nothing',
      period: '1d',
      range: null,
      width: 600,
      fresh: false,
    })
    await expect(missing).rejects.toMatchObject({ failure: { kind: 'refused-by-service', status: 404 } })
  })

  it('survive an answer with gaps, duplicates, bare NaNs and nonsense', async () => {
    const { read, sandbox, clock } = await open()
    const at = clock.now() - 600
    const body = `{"status": true, "message": "ok", "data": {"cpu": {"unit": "%", "data": [
      {"time": ${at + 60}, "value": 20}, {"time": ${at}, "value": 10}, {"time": ${at + 60}, "value": NaN},
      {"time": ${at + 120}, "value": null}, {"time": ${at + 180}, "value": -3}]}, "memory": "none"}}`
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 200, path: '/metrics', body })
    await expect(read('serve-embeddings', '1h')).rejects.toMatchObject({
      failure: { kind: 'unexpected-answer' },
    })
    const withoutMemory = body.replace('"memory": "none"', '"memory": null')
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 200,
      path: '/metrics',
      body: withoutMemory,
    })
    const { series, unusable } = await read('serve-embeddings', '1h')
    expect(series.cpu.times).toEqual(Float64Array.of(at, at + 60, at + 120, at + 180))
    expect(series.cpu.values).toEqual(Float64Array.of(10, 20, NaN, NaN))
    expect(unusable).toBe(1)
  })
})

describe('saved metrics', () => {
  it('contain every point of the visible range, of every machine, as CSV', async () => {
    const { metrics, account, named, folder, offered, clock } = await open()
    const range = { from: clock.now() - 1_800, to: clock.now() }
    const machines = ['serve-embeddings', 'train-llama-01'].map((name) => ({ id: named(name), name }))
    const saved = await metrics.handlers['metrics.save']({
      account,
      machines,
      period: '1d',
      range,
      format: 'csv',
    })
    expect(offered[0]).toMatch(/^wheelhouse-metrics-machines-\d{4}-\d\d-\d\d\.csv$/)
    const rows: unknown[] = parse(readFileSync(join(folder, saved.file)), { columns: true, bom: true })
    // Thirty or thirty-one minutes of each, depending on the clock.
    expect([60, 61, 62]).toContain(rows.length)
    expect(saved).toMatchObject({ rows: rows.length, complete: true })
    expect(rows[0]).toMatchObject({
      machine: 'serve-embeddings',
      'cpu (%)': expect.stringMatching(/^[\d.]+$/),
    })
    expect(rows.at(-1)).toMatchObject({
      machine: 'train-llama-01',
      'disk_read (GB)': expect.stringMatching(/^[\d.]+$/),
    })
  })

  it('contain each GPU that was read, in its own columns', async () => {
    const { metrics, account, named, folder, clock, useGpus } = await open()
    const [id, other] = [named('train-llama-01'), named('serve-embeddings')]
    // Between two points of the service, which are a minute apart.
    const at = Math.floor(clock.now() / 60) * 60 - 590
    const asked: unknown[] = []
    useGpus((...query) => {
      asked.push(query)
      const numbers = (...values: number[]) => Float64Array.from(values)
      const rest = { memory: numbers(40, NaN), temperature: numbers(61, 62), power: numbers(600, 610) }
      const gpu = {
        gpu: 'GPU-1',
        index: 1,
        time: numbers(at, at + 0.5),
        utilization: numbers(93, 94),
        ...rest,
      }
      return query[1] === id ? [gpu] : []
    })
    const { file } = await metrics.handlers['metrics.save']({
      account,
      machines: [
        { id: other, name: 'serve-embeddings' },
        { id, name: 'train-llama-01' },
      ],
      period: '2h',
      range: { from: at - 300, to: at + 1 },
      format: 'csv',
    })
    const rows: unknown[] = parse(readFileSync(join(folder, file)), { columns: true, bom: true })
    // Both machines are read at once, in any order.
    expect(asked).toHaveLength(2)
    expect(asked).toEqual(
      expect.arrayContaining([
        [account, id, 7_200],
        [account, other, 7_200],
      ]),
    )
    const columns = { 'gpu1_memory (%)': '', 'gpu1_temperature (C)': '62', 'gpu1_power (W)': '610' }
    expect(rows.at(-1)).toMatchObject({ machine: 'train-llama-01', 'gpu1 (%)': '94', ...columns })
    expect(rows.filter((row) => JSON.stringify(row).includes('serve-embeddings'))).toEqual(
      expect.arrayContaining([expect.objectContaining({ 'gpu1 (%)': '', 'gpu1_power (W)': '' })]),
    )
  })

  it('are not written if no file is chosen', async () => {
    const { metrics, account, named, answers } = await open()
    answers.target = false
    const machines = [{ id: named('serve-embeddings'), name: 'serve-embeddings' }]
    const saving = metrics.handlers['metrics.save']({
      account,
      machines,
      period: '1h',
      range: null,
      format: 'json',
    })
    await expect(saving).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
  })

  it('may be a picture', async () => {
    const { metrics, folder } = await open()
    const png = Uint8Array.of(137, 80, 78, 71)
    const { file } = await metrics.handlers['metrics.savePicture']({ name: 'metrics-x', png })
    expect(file).toBe('metrics-x.png')
    expect(new Uint8Array(readFileSync(join(folder, file)))).toEqual(png)
  })
})

describe('the last hour of machines in view', () => {
  it('is read and announced regularly while the window looks, and no longer', async () => {
    const { metrics, clock, account, named, asked } = await open()
    const machines = [named('train-llama-01'), named('serve-embeddings')]
    const announced: unknown[] = []
    metrics.events['metrics.loadsChanged']((change) => announced.push(change))
    const look = (looking: boolean) => metrics.handlers['metrics.lookLoads']({ account, machines, looking })
    await look(true)
    clock.advance(60)
    await expect.poll(() => announced).toEqual([{ account, machines }])
    expect(await asked()).toBe(2)
    await expect.poll(clock.pending).toBe(1)
    clock.advance(60)
    await expect.poll(() => announced).toHaveLength(2)
    // An answer is current for five minutes.
    expect(await asked()).toBe(2)
    await look(false)
    clock.advance(600)
    expect(announced).toHaveLength(2)
    expect(await asked()).toBe(2)
  })
})
