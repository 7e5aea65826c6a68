import { describe, expect, it } from 'vitest'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import { account, machine, now, usd } from '../../../../test/gallery/world'
import { sortedBy } from '../../components/rows'
import { gpuRows, isInGroup, tilesOf, totalsOf, type GpuMachine } from './gpu-tiles'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'

const gpu = (index: number, changes: Partial<GpuReading> = {}): GpuReading =>
  gpuReading({ id: `GPU-${String(index)}`, index, ...changes })
const viewOf = (gpus: readonly GpuReading[], changes: Partial<GpuView> = {}): GpuView => ({
  account,
  machine: 'm-train',
  consent: true,
  link: { kind: 'connected' },
  report: {
    kind: 'gpus',
    tool: 'nvidia-smi',
    driver: null,
    gpus: [...gpus],
    processes: null,
    isDetailed: false,
    said: null,
  },
  at: now - 30,
  ...changes,
})
const tiles = (changes: Partial<GpuMachine>) =>
  tilesOf(
    {
      machine: machine(),
      isBareMetal: false,
      view: null,
      unused: new Map(),
      perHour: [usd(24)],
      isRotated: false,
      ...changes,
    },
    5,
    now,
  )

/** The first two GPUs of a machine are idle. */
const idle: GpuMachine['unused'] = new Map([0, 1].map((index) => [index, { use: 'idle' }]))

describe('the tiles of a machine', () => {
  it('are one for each GPU that was read, with its share of the cost', () => {
    const read = tiles({ view: viewOf([gpu(0), gpu(1, { utilization: 0 })]) })
    expect(read.map(({ use, index }) => [use, index])).toEqual([
      ['working', 0],
      ['pausing', 1],
    ])
    expect(read[0]?.perHour).toEqual([usd(12)])
  })

  it('are as many as the flavor names, and unchecked, before the first reading', () => {
    const unread = tiles({})
    expect(unread).toHaveLength(8)
    expect(unread[0]).toMatchObject({ use: 'unchecked', unread: 'not-read', gpu: null, perHour: [usd(3)] })
  })

  it('take their use from the verdict about each GPU, also if the last reading is old', () => {
    const of = (unused: GpuMachine['unused'], at: number) =>
      tiles({ view: viewOf([gpu(0), gpu(1, { utilization: 0 })], { at }), unused }).map(({ use }) => use)
    const held = new Map([[1, { use: 'held' }]] as const)
    expect(of(held, now - 30)).toEqual(['working', 'held'])
    expect(of(held, now - 600)).toEqual(['unchecked', 'held'])
  })

  it('are unchecked once the reading is older than five minutes', () => {
    const [old] = tiles({ view: viewOf([gpu(0, { temperature: 90 })], { at: now - 301 }) })
    expect(old).toMatchObject({ use: 'unchecked', unread: 'stale', hot: false })
  })

  it('are unchecked after 15 minutes while machines are read in turns, also at the start of a turn', () => {
    const of = (link: GpuView['link'], age: number) =>
      tiles({ view: viewOf([gpu(0)], { link, at: now - age }), isRotated: true })[0]?.use
    const waits: GpuView['link'] = { kind: 'stopped', stop: { kind: 'too-many', limit: 100 } }
    for (const link of [waits, { kind: 'connecting' } as const])
      expect([of(link, 900), of(link, 901)]).toEqual(['working', 'unchecked'])
  })

  it('count as errors if the driver is gone', () => {
    const [broken] = tiles({
      view: viewOf([], { report: { kind: 'gpu-lost', said: 'GPU is lost' } }),
      unused: idle,
    })
    expect(broken).toMatchObject({ use: 'unchecked', unread: 'problem', errors: 1 })
  })

  it('do not run if the machine does not, whatever was read last', () => {
    const [stopped] = tiles({ machine: machine({ status: 'stopped' }), view: viewOf([gpu(0)]) })
    expect(stopped).toMatchObject({ use: 'off', hot: false, errors: 0 })
  })

  it('are none on a machine without GPUs, and one for a fraction of a GPU', () => {
    const flavor = { ...machine().flavor, gpu: null, gpuCount: null }
    expect(tiles({ machine: machine({ flavor }) })).toEqual([])
    expect(tiles({ machine: machine({ flavor: { ...flavor, gpu: 'L4', gpuCount: 0.5 } }) })).toHaveLength(1)
  })
})

describe('all GPUs', () => {
  const all = [
    ...tiles({ view: viewOf([gpu(0)]), perHour: [usd(12)] }),
    ...tiles({
      machine: machine({ id: 'm-3', name: 'spare' }),
      view: viewOf([gpu(1, { utilization: 0, memoryUsed: 400, temperature: 84 })]),
      unused: idle,
      perHour: [usd(12)],
    }),
    ...tiles({ machine: machine({ id: 'm-2', name: 'serve' }), perHour: [usd(8)] }),
  ]

  it('are summed by use, in money', () => {
    expect(totalsOf(all)).toEqual([
      { use: 'working', count: 1, perHour: [usd(12)] },
      { use: 'idle', count: 1, perHour: [usd(12)] },
      { use: 'held', count: 0, perHour: [] },
      { use: 'unchecked', count: 8, perHour: [usd(8)] },
    ])
  })

  it('are filtered by use, heat and errors', () => {
    const count = (group: Parameters<typeof isInGroup>[1]) =>
      all.filter((tile) => isInGroup(tile, group)).length
    expect([count('working'), count('idle'), count('hot'), count('errors')]).toEqual([1, 1, 1, 0])
  })

  it('are sorted by work, unknown ones last in both orders', () => {
    const work = (descending: boolean) =>
      sortedBy(all, gpuRows, { key: 'work', descending })
        .slice(0, 3)
        .map(({ use }) => use)
    expect(work(true)).toEqual(['working', 'idle', 'unchecked'])
    expect(work(false)).toEqual(['idle', 'working', 'unchecked'])
  })
})
