import { describe, expect, it } from 'vitest'
import { openStore } from '../../../../test/fixtures/store'
import { coarser, type GpuSample, hour, minute } from './gpu-samples'
import { retentionSeconds, sampleTable } from './sample-table'

const account = 'abcdefghijkl'
/** Start of a full hour. */
const start = 1_795_269_600

/** Creates an hour in which the user looked for five minutes while the GPU worked. */
const watched = Array.from({ length: 60 }, (_, at): GpuSample => {
  const utilization = at < 5 ? 100 : 0
  return {
    gpu: 'gpu-0',
    index: 0,
    time: start + at * minute,
    samples: at < 5 ? 15 : 1,
    utilization,
    utilizationMax: utilization,
    activity: null,
    isEstimated: false,
    memoryUsed: 1,
    memoryTotal: 2,
    temperatureMax: 30,
    power: utilization,
  }
})
const average = 500 / 60

describe('minutes', () => {
  it('have equal weight, however often the GPU was read in them', () => {
    const [one] = coarser(watched, hour)
    expect(one?.utilization).toBeCloseTo(average)
    expect(one?.power).toBeCloseTo(average)
    const fives = coarser(watched, 5 * minute)
    expect(fives.map(({ utilization }) => utilization)).toEqual([100, ...Array.from({ length: 11 }, () => 0)])
  })

  it('have equal weight in stored hours, even if an hour is joined from several pieces', async () => {
    const { database } = await openStore()
    const table = sampleTable(database)
    const other = watched.map((sample) => ({ ...sample, gpu: 'gpu-1', index: 1 }))
    table.add(account, 'm', [...watched.slice(0, 20), ...other])
    const late = start + retentionSeconds[minute] + hour
    table.thin(late)
    table.add(account, 'm', watched.slice(20))
    table.thin(late)
    const hours = table.read(account, 'm', hour, 0)
    expect(hours.map(({ samples }) => samples)).toEqual([60, 60])
    for (const { utilization } of hours) expect(utilization).toBeCloseTo(average)
    const next = watched.slice(0, 1).map((sample) => ({ ...sample, time: start + hour }))
    const [day] = coarser([...hours, ...next], 24 * hour)
    expect(day?.utilization).toBeCloseTo(600 / 61)
  })

  it('give each reading equal weight', () => {
    const [first] = watched
    const [one] = first ? coarser([first, { ...first, samples: 5, utilization: 20 }], minute) : []
    expect(one).toMatchObject({ samples: 20, utilization: 80 })
  })

  it('report the load of the busiest GPU from complete stored hours', async () => {
    const { database } = await openStore()
    const table = sampleTable(database)
    const later = (hours: number, samples: readonly GpuSample[]) =>
      samples.map((sample) => ({ ...sample, time: sample.time + hours * hour, utilizationMax: 3 }))
    table.add(account, 'm', [...watched, ...later(1, watched), ...later(2, watched.slice(0, 30))])
    table.thin(start + retentionSeconds[minute] + 3 * hour)
    table.add(account, 'm', later(3, watched.slice(0, 2)))
    expect(table.loads(account, 'm', start, 5).map(({ time, busiest }) => [time - start, busiest])).toEqual([
      ...[0, 900, 1_800, 2_700].map((quarter) => [quarter, 100]),
      ...[3_600, 4_500, 5_400, 6_300].map((quarter) => [quarter, 3]),
      ...[7_200, 10_800, 10_860].map((time) => [time, 3]),
    ])
  })
})
