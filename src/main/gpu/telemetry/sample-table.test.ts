import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openStore } from '../../../../test/fixtures/store'
import { type GpuSample, hour, loadOf, minute } from './gpu-samples'
import { retentionSeconds, sampleTable } from './sample-table'

const [mine, other] = ['abcdefghijkl', 'mnopqrstuvwx']
/** Start of a full hour. */
const start = 1_795_269_600
const at = (time: number): GpuSample => ({
  gpu: 'gpu-0',
  index: 0,
  time,
  samples: 1,
  utilization: 50,
  utilizationMax: 60,
  activity: null,
  isEstimated: false,
  memoryUsed: 1,
  memoryTotal: 2,
  temperatureMax: 30,
  power: 100,
})

async function filled() {
  const { database } = await openStore()
  const table = sampleTable(database)
  for (const account of [mine, other])
    for (const machine of ['m1', 'm2']) table.add(account, machine, [at(start), at(start + hour)])
  const rows = (account: string): readonly string[] =>
    database
      .prepare('SELECT machine, period, time FROM gpu_sample WHERE account = ? ORDER BY machine, time')
      .arrays(account)
      .map(([machine, period, time]) => `${String(machine)}/${String(period)}+${Number(time) - start}`)
  return { table, rows }
}
const minutes = ['m1/60+0', `m1/60+${hour}`, 'm2/60+0', `m2/60+${hour}`]

it('forgetting an account deletes its minutes and hours, and no others', async () => {
  const { table, rows } = await filled()
  table.thin(start + retentionSeconds[minute] + hour)
  expect(rows(mine)).toEqual(['m1/3600+0', `m1/60+${hour}`, 'm2/3600+0', `m2/60+${hour}`])
  table.forgetAccount(mine)
  expect(rows(mine)).toEqual([])
  expect(rows(other)).toHaveLength(4)
})

it('forgetting machines deletes their samples, and no others', async () => {
  const { table, rows } = await filled()
  table.forget(mine, ['m1', 'm3'])
  expect(rows(mine)).toEqual(minutes.slice(2))
  expect(rows(other)).toEqual(minutes)
})

it('old samples become hours, and old hours are deleted, not a second early', async () => {
  const { table, rows } = await filled()
  expect(table.thin(start + retentionSeconds[minute] + hour - 1)).toBe(false)
  expect(rows(mine)).toEqual(minutes)
  table.thin(start + retentionSeconds[minute] + 2 * hour)
  expect(rows(mine)).toEqual(['m1/3600+0', `m1/3600+${hour}`, 'm2/3600+0', `m2/3600+${hour}`])
  table.thin(start + retentionSeconds[hour])
  expect(rows(mine)).toHaveLength(4)
  table.thin(start + retentionSeconds[hour] + 1)
  expect(rows(mine)).toEqual([`m1/3600+${hour}`, `m2/3600+${hour}`])
  table.thin(start + retentionSeconds[hour] + hour + 1)
  expect([...rows(mine), ...rows(other)]).toEqual([])
})

it('the power of a GPU without work is the lowest one of samples without any work', async () => {
  const { database } = await openStore()
  const table = sampleTable(database)
  const sample = (time: number, changes: Partial<GpuSample>) => ({ ...at(start + time), ...changes })
  table.add(mine, 'm', [
    sample(0, { utilizationMax: 0, power: 31 }),
    sample(60, { utilizationMax: 0, power: 20 }),
    sample(120, { utilizationMax: 1, power: 10 }),
    sample(180, { utilizationMax: null, power: 10 }),
    sample(240, { utilizationMax: 0, power: null }),
    sample(0, { gpu: 'gpu-1', utilizationMax: 0, power: 40 }),
    sample(0, { gpu: 'gpu-2', power: 10 }),
  ])
  table.add(other, 'm', [sample(0, { utilizationMax: 0, power: 1 })])
  expect([...table.idlePower(mine, 'm')]).toEqual([
    ['gpu-0', 20],
    ['gpu-1', 40],
  ])
})

it('the load of a stored minute is the load of its samples in memory, whatever is unknown', async () => {
  const { database } = await openStore()
  const table = sampleTable(database)
  const percent = fc.option(fc.constantFrom(0, 4, 5, 60, 100))
  const gpu = fc.record({
    utilization: percent,
    utilizationMax: percent,
    activity: percent,
    isEstimated: fc.boolean(),
    memoryUsed: fc.option(fc.constantFrom(0, 499, 500, 70_000)),
  })
  fc.assert(
    fc.property(
      fc.array(gpu, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 50 }),
      (gpus, from) => {
        const samples = gpus.map((one, index) => ({ ...at(start), ...one, gpu: `gpu-${index}`, index }))
        table.forgetAccount(mine)
        table.add(mine, 'm', samples)
        expect(table.loads(mine, 'm', 0, from)).toEqual([{ time: start, ...loadOf(samples, from) }])
      },
    ),
  )
})

it('the load of one GPU leaves out the samples of others', async () => {
  const { database } = await openStore()
  const table = sampleTable(database)
  const busy = { ...at(start), gpu: 'gpu-1', index: 1, utilizationMax: 90 }
  table.add(mine, 'm', [{ ...at(start), utilizationMax: 0 }, busy])
  const busiest = (gpu: string | null) => table.loads(mine, 'm', start, 5, gpu).map((load) => load.busiest)
  expect([busiest('gpu-0'), busiest('gpu-1'), busiest(null)]).toEqual([[0], [90], [90]])
  expect([...table.gpus(mine, 'm', start)]).toEqual([
    ['gpu-0', 0],
    ['gpu-1', 1],
  ])
  expect(table.gpus(mine, 'm', start + 1).size).toBe(0)
})
