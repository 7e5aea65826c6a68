import { describe, expect, it } from 'vitest'
import type { GpuReading } from '#shared/bridge/gpu'
import { errorCount, gpuUse, heldPower, isHot } from './gpu-use'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'

/** As an H100 of the driver 580 reports itself with 10 GiB held and no work. */
const held = gpuReading({ utilization: 0, memoryUsed: 10_767, temperature: 34, power: 123, clock: 1_980 })
const reading = (changes: Partial<GpuReading>): GpuReading => ({ ...held, ...changes })

describe('the use of a GPU', () => {
  it('is the verdict about it, also without a reading', () => {
    for (const unused of ['idle', 'held', 'barely-used'] as const)
      expect([gpuUse(held, unused, 5), gpuUse(null, unused, 5)]).toEqual([unused, unused])
  })
  it('is never idle by one reading, and working from the threshold on', () => {
    expect(gpuUse(reading({ utilization: 5 }), null, 5)).toBe('working')
    expect(gpuUse(reading({ utilization: 4 }), null, 5)).toBe('pausing')
  })
  it('is unchecked without utilization (MIG) and without a reading', () => {
    expect(gpuUse(reading({ utilization: 'not-available', mig: true }), null, 5)).toBe('unchecked')
    expect(gpuUse(null, null, 5)).toBe('unchecked')
  })
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

describe('the power of held memory', () => {
  it('is compared with the lowest without work, and leaves out working GPUs', () => {
    const working = reading({ utilization: 96, power: 690 })
    expect(heldPower([working, reading({ idlePower: 71 })])).toEqual({ now: 123, idle: 71 })
    expect(heldPower([reading({ idlePower: 71 }), reading({ idlePower: 70 })])).toEqual({
      now: 246,
      idle: 141,
    })
  })
  it('is unknown without both values, and if it is no higher', () => {
    expect(heldPower([held])).toBeNull()
    expect(heldPower([reading({ idlePower: 123.2 })])).toBeNull()
    expect(heldPower([reading({ idlePower: 71, power: 'not-supported' })])).toBeNull()
    expect(heldPower([])).toBeNull()
  })
})
