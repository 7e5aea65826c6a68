import { describe, expect, it } from 'vitest'
import { highestActivity } from '#shared/gpu-load'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { estimatedActivity, measuredActivity } from './activity'

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
    ['h200-one-thread.csv', 123.12, 0],
    ['h200-copy.csv', 401.96, 48],
    ['h200-product.csv', 692.39, 99],
  ])('is estimated from the power of a GPU without counters: %s', (name, power, share) => {
    expect(realGpu(name)).toContain(`${power} W, 700.00 W`)
    expect(estimatedActivity({ power, powerLimit: 700 })).toEqual({ kind: 'estimated', share })
  })

  it('is not estimated without power or limit', () => {
    expect(estimatedActivity({ power: 'not-available', powerLimit: 700 })).toBeNull()
    expect(estimatedActivity({ power: 70, powerLimit: 'not-supported' })).toBeNull()
    expect(estimatedActivity({ power: 701, powerLimit: 700 })).toEqual({ kind: 'estimated', share: 100 })
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
