import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absences, type GpuReading, GpuReport } from '#shared/bridge/gpu'
import { complaints, outputs } from './fixtures/outputs'
import { gpuReport, withDetails } from './nvidia-smi'

const reportOf = (stdout: string) => gpuReport({ stdout, stderr: '', status: 0 })
const gpusIn = (stdout: string): readonly GpuReading[] => {
  const report = reportOf(stdout)
  return report.kind === 'gpus' ? report.gpus : []
}
const first = (stdout: string): GpuReading => {
  const [gpu] = gpusIn(stdout)
  if (!gpu) throw new Error('no GPU')
  return gpu
}

describe('the report of nvidia-smi', () => {
  it('two A100, one busy and one idle', () => {
    expect(reportOf(outputs.a100)).toMatchObject({
      kind: 'gpus',
      tool: 'nvidia-smi',
      driver: '470.82.01',
      said: null,
    })
    expect(gpusIn(outputs.a100)).toEqual([
      {
        id: 'GPU-5f3d9a31-7b0a-2d50-1d2e-4b7d3bb0c0a1',
        index: 0,
        name: 'NVIDIA A100-SXM4-40GB',
        utilization: 97,
        memoryUsed: 38_221,
        memoryTotal: 40_536,
        temperature: 61,
        power: 371.29,
        powerLimit: 400,
        clock: 1_290,
        clockMax: 1_410,
        memoryClock: 1_215,
        throttle: ['power-cap'],
        eccCorrected: 0,
        eccUncorrected: 0,
        mig: false,
        samples: null,
        activity: null,
        instances: [],
      },
      expect.objectContaining({
        index: 1,
        utilization: 0,
        power: 52.01,
        throttle: ['idle'],
        eccCorrected: 12,
      }),
    ])
  })

  it('an H100 throttled by power and heat', () => {
    expect(first(outputs.h100)).toMatchObject({
      name: 'NVIDIA H100 80GB HBM3',
      utilization: 100,
      throttle: ['power-cap', 'software-thermal'],
    })
  })

  it('an H200 with MIG, which has no utilization as a whole', () => {
    expect(first(outputs.h200Mig)).toMatchObject({
      mig: true,
      utilization: 'not-available',
      memoryUsed: 23_871,
    })
  })

  it('an RTX 4090, which has no ECC', () => {
    expect(first(outputs.rtx4090)).toMatchObject({
      utilization: 36,
      eccCorrected: 'not-available',
      mig: false,
      throttle: [],
    })
  })

  it('an RTX PRO 6000', () => {
    expect(first(outputs.rtxPro6000)).toMatchObject({
      name: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
      memoryTotal: 97_887,
      powerLimit: 600,
    })
  })

  it('four GB200', () => {
    expect(gpusIn(outputs.gb200).map(({ power, utilization }) => [power, utilization])).toEqual([
      [1_132.5, 90],
      [1_132.5, 91],
      [1_132.5, 92],
      [1_132.5, 93],
    ])
  })

  it('eight H100, one of them with memory errors', () => {
    expect(gpusIn(outputs.eightH100).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(gpusIn(outputs.eightH100).map(({ eccUncorrected }) => eccUncorrected)).toEqual([
      0, 0, 0, 0, 0, 3, 0, 0,
    ])
  })

  it('a laptop, which reports little', () => {
    expect(first(outputs.laptop)).toMatchObject({
      power: 'not-available',
      powerLimit: 'not-supported',
      utilization: 3,
      eccUncorrected: 'not-available',
    })
  })

  it('a driver that does not know every field', () => {
    expect(first(outputs.veryOld)).toMatchObject({
      name: 'Tesla V100-SXM2-16GB',
      throttle: 'unknown-to-driver',
      mig: false,
      eccUncorrected: 0,
    })
  })

  it('numbers with a decimal comma are marked as such', () => {
    expect(first(outputs.decimalComma)).toMatchObject({
      power: 'decimal-comma',
      powerLimit: 'decimal-comma',
      utilization: 12,
      clock: 1_755,
    })
  })

  it('a GPU that answers with errors', () => {
    expect(first(outputs.unknownErrors)).toMatchObject({
      utilization: 'error',
      temperature: 'error',
      powerLimit: 'no-permission',
      clock: 'error',
      clockMax: 1_980,
      throttle: 'error',
    })
  })

  it('unexpected units produce no number', () => {
    expect(first(outputs.otherUnits)).toMatchObject({
      memoryUsed: 'not-understood',
      memoryTotal: 81_559,
      power: 'not-understood',
      powerLimit: 'not-understood',
      name: 'NVIDIA Future 1, 2nd of its name',
    })
    expect(first(outputs.noUnits)).toMatchObject({
      utilization: 'not-understood',
      memoryUsed: 'not-understood',
      power: 'not-understood',
      temperature: 40,
    })
  })

  it('the remaining GPUs and the complaint when one GPU is lost', () => {
    expect(gpusIn(outputs.oneLost)).toHaveLength(1)
    expect(reportOf(outputs.oneLost)).toMatchObject({ said: expect.stringContaining('GPU1: 0000:5D:00.0') })
  })

  it('no complaint made of the table itself, whatever the exit status', () => {
    expect(gpuReport({ stdout: outputs.a100, stderr: '', status: null })).toMatchObject({ said: null })
    expect(gpuReport({ stdout: outputs.a100, stderr: 'old driver', status: 9 })).toMatchObject({
      said: 'old driver',
    })
  })
})

it.each([
  ['noDriver', 'no-driver'],
  ['mismatch', 'driver-mismatch'],
  ['container', 'no-driver'],
  ['permissions', 'no-permission'],
  ['noDevices', 'no-gpus'],
  ['lost', 'gpu-lost'],
  ['noTool', 'no-tool'],
  ['notAllowed', 'no-permission'],
  ['unknownField', 'not-understood'],
] as const)('the complaint %s is the state %s', (complaint, kind) => {
  expect(gpuReport(complaints[complaint]).kind).toBe(kind)
})

/** Returns the processes in an output of `--query-compute-apps`, read with a report. */
function processesIn(stdout: string) {
  const report = reportOf(outputs.h100)
  if (report.kind !== 'gpus') throw new Error('no GPU')
  return withDetails(report, `== processes\n${stdout}`).processes
}

describe('processes', () => {
  it('have their memory and full name', () => {
    expect(processesIn(outputs.processes)).toEqual([
      expect.objectContaining({ pid: 48_211, memory: 74_210, name: '/opt/conda/bin/python' }),
      expect.objectContaining({ pid: 48_377, memory: 'not-available', name: '/srv/a, b/serve' }),
      expect.objectContaining({ pid: 48_380, memory: 12, name: '[Not Found]' }),
    ])
    expect(processesIn(outputs.noProcesses)).toEqual([])
    expect(processesIn(complaints.noDriver.stdout)).toBeNull()
  })
})

describe('broken output', () => {
  const whole = [...Object.values(outputs), ...Object.values(complaints).map(({ stdout }) => stdout)]
  /** Real output with a piece removed, doubled or replaced. */
  const broken = fc
    .tuple(
      fc.constantFrom(...whole),
      fc.nat(2_000),
      fc.nat(400),
      fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.constantFrom(', ', ',', '\n', ' MiB', ' GiB', '1,5', '[N/A]', '0x', '-', '1e9', '\u001b[31m'),
      ),
    )
    .map(([text, at, length, put]) => text.slice(0, at) + put + text.slice(at + length))
  const anything = fc.oneof(broken, fc.string({ maxLength: 400 }))
  const status = fc.oneof(fc.constantFrom(0, 2, 9, 126, 127), fc.constant(null))

  const limits: Partial<Record<keyof GpuReading, number>> = { utilization: 100, temperature: 250 }

  it('never throws, and produces only values of the contract', () => {
    fc.assert(
      fc.property(anything, anything, status, (stdout, stderr, code) => {
        const report = gpuReport({ stdout, stderr, status: code })
        expect(GpuReport.safeParse(report).success).toBe(true)
        if (report.kind !== 'gpus') return
        const detailed = withDetails(report, `== activity\n${stderr}\n== processes\n${stdout}`)
        expect(GpuReport.safeParse(detailed).success).toBe(true)
        for (const gpu of report.gpus) {
          for (const [key, value] of Object.entries(gpu)) {
            if (typeof value === 'number') expect(Number.isFinite(value), key).toBe(true)
          }
          for (const key of ['utilization', 'temperature'] as const) {
            const value = gpu[key]
            if (typeof value === 'number') expect(value).toBeLessThanOrEqual(limits[key] ?? 0)
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('never produces a number whose cell or heading has another unit', () => {
    const unit = fc.constantFrom('MiB', 'GiB', 'MB', 'KiB', 'B', '', 'mib', 'MiB/s', '%', 'W')
    const digits = fc.constantFrom('0', '12', '81559', '1.5', '1,5', '-3', '1e3', '0x10', '١٢', '1 000')
    fc.assert(
      fc.property(unit, unit, digits, (inHeading, inCell, value) => {
        const { memoryUsed } = first(
          outputs.h100
            .replace('memory.used [MiB]', inHeading === '' ? 'memory.used' : `memory.used [${inHeading}]`)
            .replace('76543 MiB', `${value} ${inCell}`.trimEnd()),
        )
        const plain = /^\d+(\.\d+)?$/.test(value)
        if (inHeading === 'MiB' && inCell === 'MiB' && plain) expect(memoryUsed).toBe(Number(value))
        else expect(absences).toContain(memoryUsed)
      }),
    )
  })
})
