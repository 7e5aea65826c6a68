import { describe, expect, it } from 'vitest'
import { heldMemory } from '#shared/gpu-load'
import type { GpuReport } from '#shared/bridge/gpu'
import type { GpuProfile } from '../../../sandbox/cloud/gpu-profile'
import { makeMachine, testTime } from '../../../sandbox/ssh/fixtures/machines'
import { shellOn } from '../../../sandbox/ssh/fixtures/shells'
import { runLine } from '../../../sandbox/ssh/shell/run-line'
import { createEstimates } from './activity'
import { gpuReader } from './read-gpus'

/** Reads the GPUs of a sandbox machine. */
async function read(
  profile: GpuProfile,
  gpu = 'NVIDIA H100 80GB SXM',
  estimates = createEstimates(),
): Promise<GpuReport> {
  const machine = makeMachine({ gpu, gpuCount: 2, gpuProfile: () => profile })
  async function exec(command: string) {
    const output = { stdout: '', stderr: '' }
    const execution = runLine(command, shellOn(machine, { startedAt: testTime }))
    for (;;) {
      const step = await execution.next()
      if (step.done) return { kind: 'finished' as const, ...output, status: step.value }
      output[step.value.to] += step.value.data.toString()
    }
  }
  const reading = gpuReader(exec, 20, estimates)
  await reading('always')
  // Only the second reading without counters proves that there are none.
  return reading('always')
}

async function first(...of: Parameters<typeof read>) {
  const report = await read(...of)
  const [one] = report.kind === 'gpus' ? report.gpus : []
  if (report.kind !== 'gpus' || !one) throw new Error(report.kind)
  return { report, gpu: one }
}

describe('the application reads a sandbox machine', () => {
  it('with work: activity, processes, their share and a masked command line', async () => {
    const { report, gpu } = await first('training')
    expect(gpu.samples).toMatchObject({ seconds: 14 })
    expect(gpu.activity).toMatchObject({ kind: 'measured', encoder: 0 })
    expect(report.processes).toHaveLength(2)
    expect(report.processes?.[0]).toMatchObject({
      user: 'ubuntu',
      command: expect.stringMatching(/python train\.py --config llama\.yaml --wandb-api-key=•••$/),
    })
  })

  it('with bursts, which only the samples show', async () => {
    const { gpu } = await first('bursts')
    expect(gpu.samples).toEqual({ seconds: 14, max: 89, average: 2, video: 0 })
  })

  it('with memory that is held, and high power', async () => {
    const { gpu } = await first('held')
    expect(heldMemory(gpu)).toBeGreaterThan(10_000)
    expect(gpu).toMatchObject({ utilization: 0, throttle: [], activity: { sm: 0 } })
    expect(gpu.power).toBeGreaterThan(120)
  })

  it('with a kernel of one thread, measured or estimated', async () => {
    expect((await first('spinning')).gpu).toMatchObject({
      utilization: 100,
      activity: { kind: 'measured', sm: 0 },
    })
    const model = 'NVIDIA A100 80GB'
    expect((await first('spinning', model)).gpu).toMatchObject({ utilization: 100, activity: null })
    const estimates = createEstimates()
    await first('held', model, estimates)
    expect((await first('spinning', model, estimates)).gpu.activity).toEqual({ kind: 'estimated', share: 0 })
  })

  it('with memory of another container, a split GPU, or a driver without samples', async () => {
    const { report, gpu } = await first('container')
    expect(report.processes).toEqual([])
    expect(heldMemory(gpu)).toBeGreaterThan(0)
    expect((await first('split')).gpu).toMatchObject({
      mig: true,
      utilization: 'not-available',
      instances: [
        { profile: '3g.40gb', memoryUsed: expect.any(Number), memoryTotal: 40_140 },
        { profile: '2g.20gb', memoryUsed: 13, memoryTotal: 20_070 },
        { profile: '1g.10gb', memoryUsed: 13, memoryTotal: 10_035 },
      ],
    })
    expect((await first('no-samples')).gpu).toMatchObject({ samples: null, utilization: 0 })
  })

  it('with AMD GPUs', async () => {
    const { report, gpu } = await first('amd')
    expect(report).toMatchObject({ tool: 'amd-smi', driver: '6.16.6' })
    expect(gpu).toMatchObject({ name: 'AMD Instinct MI300X', powerLimit: 750 })
    expect(report.processes?.[0]).toMatchObject({ user: 'ubuntu', command: 'python3 train.py' })
  })
})
