import { describe, expect, it } from 'vitest'
import { makeMachine, testTime } from '../../fixtures/machines'
import type { GpuProfile } from '../../../cloud/gpu-profile'
import { gpusOf } from '../gpu'
import { gpuQuery } from '../gpu-query'
import { gpuTable } from './nvidia-smi'

const models = [
  'NVIDIA H100 80GB SXM',
  'NVIDIA H200 141GB SXM',
  'NVIDIA GB200 192GB',
  'NVIDIA B200 180GB SXM',
  'NVIDIA A100 80GB',
  'NVIDIA L40S 48GB',
  'NVIDIA RTX PRO 6000 96GB',
  'NVIDIA RTX 4090 24GB',
  'Something Entirely New And Long Of 2031',
]

describe('the table of GPUs', () => {
  it.each(models)('has lines of equal width for %s', (gpu) => {
    const [, ...table] = gpuTable(gpusOf(makeMachine({ gpu, gpuCount: 8 }), testTime), testTime)
    expect(new Set(table.map((line) => line.length))).toEqual(new Set([91]))
    expect(table.filter((line) => line.includes('MiB /'))).toHaveLength(8)
  })

  it.each(['training', 'inference', 'notebook', 'nightly', 'idle'] as const)(
    'is well-formed for %s',
    (profile) => {
      const machine = makeMachine({ gpuCount: 8, gpuProfile: () => profile })
      for (const later of [0, 7 * 60, 31 * 60]) {
        const [, ...table] = gpuTable(gpusOf(machine, testTime + later), testTime)
        expect(new Set(table.map((line) => line.length))).toEqual(new Set([91]))
      }
    },
  )

  it('contains each model’s name and memory as the driver reports them', () => {
    const named = models.map((gpu) => gpusOf(makeMachine({ gpu, gpuCount: 1 }), testTime)[0])
    expect(named.map((gpu) => `${gpu?.name} ${gpu?.memory}`)).toEqual([
      'NVIDIA H100 80GB HBM3 81559',
      'NVIDIA H200 143771',
      'NVIDIA GB200 189471',
      'NVIDIA B200 183359',
      'NVIDIA A100-SXM4-80GB 81920',
      'NVIDIA L40S 46068',
      'NVIDIA RTX PRO 6000 Blackwell 97887',
      'NVIDIA GeForce RTX 4090 24564',
      'NVIDIA Something Entirely New And Long Of 2031 24576',
    ])
  })

  it('shows idle GPUs, each with its own identifiers', () => {
    const gpus = gpusOf(makeMachine({ gpuCount: 8 }), testTime)
    expect(new Set(gpus.map(({ uuid }) => uuid)).size).toBe(8)
    expect(new Set(gpus.map(({ bus }) => bus)).size).toBe(8)
    for (const gpu of gpus) {
      expect(gpu.power).toBeLessThan(gpu.powerLimit * 0.15)
      expect(gpu.temperature).toBeLessThan(40)
      expect(gpu.memoryUsed).toBeLessThan(10)
    }
  })
})

describe('the activity of GPUs', () => {
  const loads = (profile: GpuProfile, model = 'NVIDIA H100 80GB SXM') =>
    Array.from({ length: 60 }, (_, minute) =>
      gpusOf(makeMachine({ gpu: model, gpuProfile: () => profile }), testTime + minute * 60),
    ).flat()

  it('follows the profile of the machine', () => {
    const mean = (profile: GpuProfile) => {
      const gpus = loads(profile)
      return gpus.reduce((sum, { load }) => sum + load, 0) / gpus.length
    }
    expect(mean('training')).toBeGreaterThan(75)
    expect(mean('inference')).toBeGreaterThan(15)
    expect(mean('inference')).toBeLessThan(80)
    expect(mean('idle')).toBe(0)
    expect(loads('training').every(({ processes }) => processes.length === 1)).toBe(true)
    expect(loads('idle').every(({ processes }) => processes.length === 0)).toBe(true)
  })

  it.each(models)('stays within the limits of %s', (model) => {
    for (const gpu of loads('training', model)) {
      expect(gpu.load).toBeLessThanOrEqual(100)
      expect(gpu.power).toBeLessThanOrEqual(gpu.powerLimit)
      expect(gpu.memoryUsed).toBeLessThanOrEqual(gpu.memory)
      expect(gpu.clock).toBeLessThanOrEqual(gpu.clockMax)
      expect(gpu.temperature).toBeLessThan(90)
    }
  })
})

describe('a query', () => {
  const ask = (model: string, ...args: readonly string[]) =>
    gpuQuery(args, gpusOf(makeMachine({ gpu: model, gpuCount: 1, gpuProfile: () => 'training' }), testTime))

  it('has its fields in the requested order, with units unless they are switched off', () => {
    const query = '--query-gpu=index,name,memory.total,power.limit,temperature.gpu'
    expect(ask('NVIDIA H100 80GB SXM', query, '--format=csv')?.lines).toEqual([
      'index, name, memory.total [MiB], power.limit [W], temperature.gpu',
      expect.stringMatching(/^0, NVIDIA H100 80GB HBM3, 81559 MiB, 700\.00 W, \d\d$/),
    ])
    expect(ask('NVIDIA H100 80GB SXM', query, '--format=csv,noheader,nounits')?.lines).toEqual([
      expect.stringMatching(/^0, NVIDIA H100 80GB HBM3, 81559, 700\.00, \d\d$/),
    ])
  })

  it('reports values that a model lacks, and unknown fields', () => {
    const ecc = '--query-gpu=ecc.errors.uncorrected.volatile.total,mig.mode.current'
    expect(ask('NVIDIA RTX 4090 24GB', ecc, '--format=csv')?.lines[1]).toBe('[N/A], [N/A]')
    expect(ask('NVIDIA H200 141GB SXM', ecc, '--format=csv')?.lines[1]).toBe('0, Disabled')
    expect(ask('NVIDIA H200 141GB SXM', '--query-gpu=index,coffee', '--format=csv')).toEqual({
      lines: ['Field "coffee" is not a valid field to query.', ''],
      status: 2,
    })
  })

  it('contains the programs on the GPU', () => {
    const [heading, ...processes] =
      ask(
        'NVIDIA H100 80GB SXM',
        '--query-compute-apps=gpu_uuid,pid,used_memory,process_name',
        '--format=csv',
      )?.lines ?? []
    expect(heading).toBe('gpu_uuid, pid, used_gpu_memory [MiB], process_name')
    expect(processes).toEqual([
      expect.stringMatching(/^GPU-\S+, \d+, \d+ MiB, \/opt\/conda\/envs\/train\/bin\/python$/),
    ])
  })
})
