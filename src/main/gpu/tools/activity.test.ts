import { describe, expect, it } from 'vitest'
import type { Measured } from '#shared/bridge/gpu'
import { highestActivity } from '#shared/gpu-load'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { createEstimates, measuredActivity } from './activity'

const activityIn = (name: string) => measuredActivity(realGpu(name)).get(0) ?? null

describe('the activity of a GPU', () => {
  it.each([
    ['a kernel of one thread, at 100 % utilization', 'h200-one-thread', { sm: 0, tensor: 0, memory: 0 }],
    ['a matrix product', 'h200-product', { sm: 96, tensor: 93, memory: 16 }],
    ['a copy', 'h200-copy', { sm: 99, tensor: 0, memory: 88 }],
    ['memory that is held', 'h100-memory-held', { sm: 0, tensor: 0, memory: 0 }],
  ])('is measured for %s', (_load, name, parts) => {
    expect(activityIn(`${name}.dmon.txt`)).toEqual({ kind: 'measured', encoder: 0, decoder: 0, ...parts })
  })

  it('is unknown before the third line, and for GPUs without counters', () => {
    const lines = realGpu('h200-product.dmon.txt').split('\n')
    expect(measuredActivity(lines.slice(0, 4).join('\n')).size).toBe(0)
    expect(measuredActivity('Invalid combination of input arguments.').size).toBe(0)
  })

  it.each([
    ['h100-idle.csv', 71.11, 0],
    ['h200-one-thread.csv', 123.12, 8],
    ['h200-copy.csv', 401.96, 53],
    ['h200-product.csv', 692.39, 99],
  ])('is estimated from the power above the lowest without work: %s', (name, power, share) => {
    expect(realGpu(name)).toContain(`${power} W, 700.00 W`)
    const estimates = createEstimates()
    estimates.learn([gpuReading({ utilization: 0, power: 71.11 })])
    expect(estimates.of(gpuReading({ power, powerLimit: 700 }))).toEqual({ kind: 'estimated', share })
  })

  it('is 15 % for a card with a limit of 450 W that draws 85 W, and 20 W without work', () => {
    const working = gpuReading({ utilization: 100, power: 85, powerLimit: 450 })
    const estimates = createEstimates(() => new Map([[working.id, 20]]))
    estimates.learn([gpuReading({ utilization: 0, power: 60 }), working])
    expect(estimates.of(working)).toEqual({ kind: 'estimated', share: 15 })
  })

  it('is not estimated before the GPU was seen without work, also not by the power of another GPU', () => {
    const store: { powers?: ReadonlyMap<string, number> } = {}
    const estimates = createEstimates(() => store.powers)
    const working = gpuReading({ utilization: 40, power: 85, powerLimit: 450 })
    estimates.learn([
      working,
      gpuReading({ id: 'GPU-other', utilization: 0, power: 10 }),
      gpuReading({ utilization: 0, samples: { seconds: 14, max: 90, average: 2, video: 0 }, power: 30 }),
      gpuReading({ utilization: 'not-available', power: 30 }),
    ])
    expect(estimates.of(working)).toBeNull()
    // The store has opened.
    store.powers = new Map([[working.id, 20]])
    expect(estimates.of(working)).not.toBeNull()
  })

  it('is not estimated without power or limit', () => {
    const estimates = createEstimates(() => new Map([['GPU-1', 70]]))
    const of = (power: Measured, powerLimit: Measured) => estimates.of({ id: 'GPU-1', power, powerLimit })
    expect(of('not-available', 700)).toBeNull()
    expect(of(70, 'not-supported')).toBeNull()
    expect(of(60, 70)).toBeNull()
    expect(of(701, 700)).toEqual({ kind: 'estimated', share: 100 })
  })

  it('is as high as the busiest part, video included', () => {
    const activity = {
      kind: 'measured',
      sm: 1,
      tensor: 0,
      memory: 2,
      encoder: 40,
      decoder: 'not-available',
    } as const
    expect(highestActivity({ activity, samples: null })).toBe(40)
    expect(highestActivity({ activity: { ...activity, sm: 'not-available' }, samples: null })).toBeNull()
    expect(highestActivity({ activity: null, samples: null })).toBeNull()
  })

  it('counts an estimate only with the utilization of the video engines, which need little power', () => {
    const estimated = { kind: 'estimated', share: 0 } as const
    const samples = { seconds: 14, max: 60, average: 60 }
    expect(highestActivity({ activity: estimated, samples: { ...samples, video: 0 } })).toBe(0)
    expect(highestActivity({ activity: estimated, samples: { ...samples, video: 70 } })).toBe(70)
    expect(highestActivity({ activity: estimated, samples: { ...samples, video: null } })).toBeNull()
    expect(highestActivity({ activity: estimated, samples: null })).toBeNull()
  })
})
