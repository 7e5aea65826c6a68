import { describe, expect, it } from 'vitest'
import { makeMachine, testTime } from '../../fixtures/machines'
import { gpusOf } from '../gpu'
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
  it.each(models)('is as wide everywhere for %s', (gpu) => {
    const [, ...table] = gpuTable(gpusOf(makeMachine({ gpu, gpuCount: 8 }), testTime), testTime)
    expect(new Set(table.map((line) => line.length))).toEqual(new Set([91]))
    expect(table.filter((line) => line.includes('MiB /'))).toHaveLength(8)
  })

  it('names each model as the driver does, with its memory', () => {
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

  it('shows GPUs at rest, each with identifiers of its own', () => {
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
