import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GpuReport } from '#shared/bridge/gpu'
import { amdReport } from './amd-smi'
import { amdOutputs } from './fixtures/amd-smi'

const reportOf = (stdout: string) => amdReport({ stdout, stderr: '', status: 0 })

describe('the report of amd-smi', () => {
  it('reads the list of ROCm 6.1 to 6.4', () => {
    expect(reportOf(amdOutputs.rocm6)).toEqual({
      kind: 'gpus',
      tool: 'amd-smi',
      driver: '6.7.0',
      gpus: [
        {
          id: '0x8d2d1c3f7a9b0e11',
          index: 0,
          name: 'AMD Instinct MI300X',
          utilization: 38,
          samples: null,
          activity: null,
          memoryUsed: 283,
          memoryTotal: 196_592,
          temperature: 47,
          power: 141,
          powerLimit: 750,
          clock: 132,
          clockMax: 2_100,
          memoryClock: 900,
          throttle: 'not-available',
          eccCorrected: 'not-available',
          eccUncorrected: 'not-available',
          mig: false,
          instances: [],
        },
      ],
      processes: [
        expect.objectContaining({ gpu: '0x8d2d1c3f7a9b0e11', pid: 420_157, name: 'rvs', memory: 1_024 }),
      ],
      isDetailed: true,
      said: null,
    })
  })

  it('reads the object of ROCm 7, with limits by PPT', () => {
    expect(reportOf(amdOutputs.rocm7)).toMatchObject({
      driver: '6.16.6',
      gpus: [
        {
          name: 'AMD Instinct MI355X',
          power: 239,
          powerLimit: 1_400,
          memoryUsed: 283,
          memoryTotal: 294_896,
          temperature: 36,
        },
      ],
      processes: [{ pid: 42, memory: 0 }],
    })
  })

  it('marks missing values of an integrated GPU', () => {
    expect(reportOf(amdOutputs.integrated)).toMatchObject({
      gpus: [
        {
          name: 'AMD',
          utilization: 'not-available',
          memoryUsed: 128,
          power: 'not-available',
          activity: null,
        },
      ],
      processes: null,
      isDetailed: false,
    })
  })

  it('reads JSON between warnings', () => {
    const [one] = Object.values(amdOutputs)
    const [values = '', ...rest] = (one ?? '').split('\n== static')
    const warned = ['[WARN] before', values, '[WARN] after {x}\n[WARN] more', ''].join('\n')
    expect(reportOf([warned, ...rest].join('\n== static'))).toEqual(reportOf(one ?? ''))
    expect(reportOf('[WARN] nothing else')).toMatchObject({ kind: 'not-understood' })
  })

  it('no card, no tool and meaningless output', () => {
    expect(reportOf('[]')).toEqual({ kind: 'no-gpus' })
    expect(reportOf('{}')).toMatchObject({ kind: 'not-understood' })
    expect(amdReport({ stdout: '', stderr: 'env: amd-smi: not found', status: 127 })).toEqual({
      kind: 'no-tool',
    })
  })

  it('broken output does not throw', () => {
    const whole = Object.values(amdOutputs)
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.nat(1_500),
        fc.nat(60),
        fc.string(),
        (text, at, length, put) => {
          const report = reportOf(text.slice(0, at) + put + text.slice(at + length))
          expect(GpuReport.safeParse(report).success).toBe(true)
        },
      ),
    )
  })
})
