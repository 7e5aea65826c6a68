import { describe, expect, it } from 'vitest'
import type { GpuReading } from '#shared/bridge/gpu'
import { errorCount, gpuUse, isHot } from './gpu-use'

/** As an H100 of the driver 580 reports itself with 10 GiB held and no work. */
const held: GpuReading = {
  id: 'GPU-0',
  index: 0,
  name: 'NVIDIA H100 80GB HBM3',
  utilization: 0,
  memoryUsed: 10_767,
  memoryTotal: 81_559,
  temperature: 34,
  power: 123,
  powerLimit: 700,
  clock: 1_980,
  clockMax: 1_980,
  memoryClock: 2_619,
  throttle: [],
  eccCorrected: 0,
  eccUncorrected: 0,
  mig: false,
  samples: null,
  activity: null,
  instances: [],
}
const reading = (changes: Partial<GpuReading>): GpuReading => ({ ...held, ...changes })

describe('the use of a GPU', () => {
  it('is held if its memory is in use without work', () => expect(gpuUse(held, 5)).toBe('held'))
  it('is idle if only the driver uses its memory', () =>
    expect(gpuUse(reading({ memoryUsed: 486 }), 5)).toBe('idle'))
  it('is working from the threshold on, whatever its memory', () => {
    expect(gpuUse(reading({ utilization: 5 }), 5)).toBe('working')
    expect(gpuUse(reading({ utilization: 4 }), 5)).toBe('held')
  })
  it('is unknown without utilization, as with MIG', () =>
    expect(gpuUse(reading({ utilization: 'not-available', mig: true }), 5)).toBe('unknown'))
})

describe('a hot GPU', () => {
  it('is at 80 °C or more, or slowed by heat', () => {
    expect(isHot(held)).toBe(false)
    expect(isHot(reading({ temperature: 80 }))).toBe(true)
    expect(isHot(reading({ throttle: ['software-thermal'] }))).toBe(true)
    expect(isHot(reading({ throttle: ['power-cap'], temperature: 'not-available' }))).toBe(false)
  })
})

describe('errors of a GPU', () => {
  it('are uncorrected memory errors and values that could not be read', () => {
    expect(errorCount(reading({ eccCorrected: 12 }))).toBe(0)
    expect(errorCount(reading({ eccUncorrected: 2 }))).toBe(2)
    expect(errorCount(reading({ utilization: 'error', power: 'error' }))).toBe(2)
  })
})
