import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GpuReport } from '#shared/bridge/gpu'
import { outputs } from './fixtures/outputs'
import { rocmReport } from './rocm-smi'

const reportOf = (stdout: string) => rocmReport({ stdout, stderr: '', status: 0 })

describe('the report of rocm-smi', () => {
  it('an MI300X, with memory converted from bytes to MiB', () => {
    expect(reportOf(outputs.mi300x)).toEqual({
      kind: 'gpus',
      tool: 'rocm-smi',
      driver: '6.7.0',
      processes: null,
      isDetailed: true,
      said: null,
      gpus: [
        expect.objectContaining({
          id: '0x8d2d1c3f7a9b0e11',
          index: 0,
          name: 'AMD Instinct MI300X',
          utilization: 38,
          memoryTotal: 196_592,
          memoryUsed: 283.75,
          temperature: 47,
          power: 141,
          powerLimit: 750,
          clock: 132,
          memoryClock: 900,
        }),
      ],
    })
  })

  it('an older MI100 with a warning before the answer', () => {
    const report = reportOf(outputs.mi100)
    expect(report.kind === 'gpus' && report.gpus).toEqual([
      expect.objectContaining({
        id: 'gpu-1',
        index: 1,
        temperature: 35,
        power: 41,
        powerLimit: 'not-available',
        memoryUsed: 'not-available',
      }),
    ])
  })

  it('partitions that report the ID of their GPU get distinct IDs', () => {
    const report = reportOf(outputs.mi300xPartitions)
    expect(report.kind === 'gpus' && report.gpus.map(({ id, utilization }) => [id, utilization])).toEqual([
      ['0x7d3c1b5a9f20e411/0', 97],
      ['0x7d3c1b5a9f20e411/1', 'not-available'],
      ['0x8d2d1c3f7a9b0e11', 0],
    ])
  })

  it('no card, no tool and meaningless output', () => {
    expect(reportOf('{}')).toEqual({ kind: 'no-gpus' })
    expect(
      rocmReport({ stdout: '', stderr: "env: 'rocm-smi': No such file or directory", status: 127 }),
    ).toEqual({
      kind: 'no-tool',
    })
    expect(reportOf('hello')).toEqual({ kind: 'not-understood', said: 'hello' })
  })

  it('broken output does not throw', () => {
    const cut = fc
      .tuple(
        fc.constantFrom(outputs.mi300x, outputs.mi100),
        fc.nat(700),
        fc.nat(60),
        fc.string({ maxLength: 20 }),
      )
      .map(([text, at, length, put]) => text.slice(0, at) + put + text.slice(at + length))
    fc.assert(
      fc.property(fc.oneof(cut, fc.json()), (stdout) => {
        expect(GpuReport.safeParse(reportOf(stdout)).success).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
