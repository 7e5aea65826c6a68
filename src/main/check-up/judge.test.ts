import { describe, expect, it } from 'vitest'
import type { CheckName } from '#shared/bridge/check-up'
import type { MachineView } from '#shared/bridge/fleet'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { amdOutputs } from '../gpu/tools/fixtures/amd-smi'
import { amdFieldsOf, type Facts, type GpuFields } from './facts'
import { type Earlier, judge } from './judge'

const machine: MachineView = {
  ...machineView(Machine.parse({ id: 'm1', name: 'm1', status: 'running' })),
  flavor: { name: 'h100x2', cpu: 26, ram: 225, disk: 100, gpu: 'NVIDIA H100 80GB SXM', gpuCount: 2 },
}
const gpu = (changes: GpuFields = {}): GpuFields => ({
  index: '0',
  driver_version: '580.159.04',
  'utilization.gpu': '0',
  'memory.total': '81559',
  persistence_mode: 'Enabled',
  name: 'NVIDIA H100 80GB HBM3',
  'pcie.link.gen.current': '5',
  'pcie.link.gen.max': '5',
  'pcie.link.width.current': '16',
  'pcie.link.width.max': '16',
  'ecc.errors.uncorrected.volatile.total': '0',
  'ecc.errors.uncorrected.aggregate.total': '0',
  'remapped_rows.uncorrectable': '0',
  'remapped_rows.pending': 'No',
  'remapped_rows.failure': 'No',
  gpu_recovery_action: 'None',
  ...changes,
})
const whole: Facts = {
  clock: { own: 1_000, ours: 1_001 },
  cores: 26,
  memoryBytes: 231e9,
  disk: { total: 104e9, used: 31e9, freeAtHome: 70e9 },
  gpus: [gpu(), gpu({ index: '1' })],
  isAmd: false,
  cuda: '13.0',
  links: [true, true],
  xids: [],
  heat: { before: 0, during: 0 },
  diskSpeed: 1_000,
  networkSpeed: 40,
  isTooFull: false,
  isTooSlow: false,
}
const none: Earlier = { diskSpeed: [], networkSpeed: [] }
const verdictOf = (check: CheckName, facts: Partial<Facts>, earlier = none, of = machine) => {
  const found = judge({ ...whole, ...facts }, of, earlier).find((result) => result.check === check)
  return found && [found.verdict, found.note]
}
const firstGpu = (changes: GpuFields): Partial<Facts> => ({ gpus: [gpu(changes), gpu({ index: '1' })] })

describe('the check-up of a machine', () => {
  it('finds no problem on a machine that keeps its promises', () => {
    const results = judge(whole, machine, none)
    expect(results.filter(({ verdict }) => verdict !== 'good')).toEqual([])
    expect(results).toHaveLength(18)
  })

  it.each([
    ['gpu-count', { gpus: [gpu()] }, ['bad', 'fewer-than-flavor']],
    ['gpu-model', firstGpu({ name: 'NVIDIA A100-SXM4-80GB' }), ['bad', 'other-model']],
    ['gpu-memory', firstGpu({ 'memory.total': '40960' }), ['bad', 'smaller-than-flavor']],
    ['pcie', firstGpu({ 'pcie.link.width.current': '8' }), ['bad', 'pcie-slow']],
    ['pcie', firstGpu({ 'pcie.link.gen.current': '1' }), ['unknown', 'pcie-idle']],
    ['pcie', firstGpu({ 'pcie.link.gen.current': '3', 'pcie.link.gen.max': '3' }), ['good', null]],
    [
      'pcie',
      firstGpu({ 'pcie.link.gen.current': '3', 'pcie.link.gen.max': '3', 'pcie.link.gen.gpumax': '5' }),
      ['bad', 'pcie-slow'],
    ],
    ['gpu-model', firstGpu({ name: 'NVIDIA Graphics Device' }), ['unknown', 'model-unknown']],
    ['pcie', firstGpu({ 'pcie.link.gen.current': '3', 'utilization.gpu': '97' }), ['bad', 'pcie-slow']],
    ['ecc', firstGpu({ 'ecc.errors.uncorrected.volatile.total': '2' }), ['bad', 'ecc-now']],
    ['ecc', firstGpu({ 'ecc.errors.uncorrected.aggregate.total': '2' }), ['warning', 'ecc-before']],
    ['remapped-rows', firstGpu({ 'remapped_rows.pending': 'Yes' }), ['bad', 'remap-pending']],
    ['remapped-rows', firstGpu({ 'remapped_rows.failure': 'Yes' }), ['bad', 'remap-failed']],
    ['remapped-rows', firstGpu({ 'remapped_rows.uncorrectable': '1' }), ['warning', 'remapped']],
    ['recovery', firstGpu({ gpu_recovery_action: 'Reset' }), ['bad', 'recovery-needed']],
    ['persistence', firstGpu({ persistence_mode: 'Disabled' }), ['warning', 'persistence-off']],
    ['throttling', { heat: { before: 5, during: 1_000 } }, ['bad', 'hot-now']],
    ['throttling', { heat: { before: 84e6, during: 0 } }, ['warning', 'hot-before']],
    ['nvlink', { links: [true, false] }, ['bad', 'links-inactive']],
    ['nvlink', { links: [false, false] }, ['unknown', 'no-links']],
    ['disk-speed', { diskSpeed: null, isTooSlow: true }, ['bad', 'too-slow-to-test']],
    ['kernel-log', { xids: null }, ['unknown', 'needs-root']],
    ['kernel-log', { xids: ['NVRM: Xid 79'] }, ['bad', 'xid']],
    ['cores', { cores: 24 }, ['bad', 'smaller-than-flavor']],
    ['ram', { memoryBytes: 120e9 }, ['bad', 'smaller-than-flavor']],
    ['disk-space', { disk: { total: 100e9, used: 97e9, freeAtHome: 3e9 } }, ['bad', 'nearly-full']],
    ['disk-speed', { diskSpeed: null, isTooFull: true }, ['unknown', 'too-full-to-test']],
    ['clock', { clock: { own: 1_000, ours: 1_030 } }, ['warning', 'clock-off']],
    ['clock', { clock: { own: 1_000, ours: 5_000 } }, ['bad', 'clock-off']],
  ] as const)('judges %s by %j', (check, facts, expected) =>
    expect(verdictOf(check, facts)).toEqual(expected),
  )

  it.each([
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTX-PRO6000-SE', 'good'],
    ['NVIDIA GeForce RTX 4090', 'RTX4090', 'good'],
    ['NVIDIA RTX 6000 Ada Generation', 'RTX-6000-ADA', 'good'],
    ['NVIDIA RTX A6000', 'RTX-A6000', 'good'],
    ['NVIDIA RTX PRO 6000 Blackwell Server Edition', 'RTXPRO6000', 'good'],
    ['NVIDIA L4', 'L4', 'good'],
    ['Tesla T4', 'NVIDIA L4', 'bad'],
    ['Tesla T4', 'T4', 'good'],
    ['NVIDIA A10', 'A10G', 'bad'],
    ['NVIDIA GeForce RTX 4070 Ti', 'RTX 4070', 'bad'],
    ['NVIDIA GeForce RTX 4090 D', 'RTX4090D', 'good'],
    ['NVIDIA A100 80GB PCIe', 'A100-80G-PCIe', 'good'],
    ['NVIDIA A100-SXM4-80GB', 'A100-80G-PCIe', 'bad'],
    ['NVIDIA A100-SXM4-80GB', 'SXM4 A100 80GB', 'good'],
    ['NVIDIA H100 80GB HBM3', 'H100-PCIe', 'bad'],
    ['NVIDIA H100 PCIe', 'NVIDIA H100 80GB SXM', 'bad'],
    ['NVIDIA H100 NVL', 'NVIDIA H100 NVL', 'good'],
    ['NVIDIA H200', 'NVIDIA H200 141GB SXM', 'good'],
    ['NVIDIA GB200', 'NVIDIA GB200 NVL72', 'good'],
    ['NVIDIA Graphics Device', 'H100', 'unknown'],
    ['NVIDIA H100 PCIe', 'fast GPU', 'unknown'],
    ['NVIDIA RTX A6000', 'RTX-6000-ADA', 'bad'],
    ['NVIDIA H100 PCIe', 'H200', 'bad'],
  ])('compares %s with the flavor’s %s: %s', (name, flavorGpu, verdict) => {
    const gpus = [gpu({ name }), gpu({ name, index: '1' })]
    const of = { ...machine, flavor: { ...machine.flavor, gpu: flavorGpu } }
    expect(verdictOf('gpu-model', { gpus }, none, of)?.[0]).toBe(verdict)
  })

  it('compares the memory with the flavor’s, also if its name has the unit G', () => {
    const of = { ...machine, flavor: { ...machine.flavor, gpu: 'A100-80G-PCIe' } }
    const gpus = [gpu({ 'memory.total': '40960' })]
    expect(verdictOf('gpu-memory', { gpus }, none, of)).toEqual(['bad', 'smaller-than-flavor'])
  })

  it('compares the number, model and memory of AMD’s GPUs, and reads no more of them', () => {
    const of = { ...machine, flavor: { ...machine.flavor, gpu: 'MI325X', gpuCount: 2 } }
    const gpus = amdFieldsOf({ stdout: amdOutputs.rocm6, stderr: '', status: 0 })
    const results = judge({ ...whole, gpus, isAmd: true, cuda: null }, of, none)
    expect(results.slice(0, 7).map(({ check, verdict, found }) => [check, verdict, found])).toEqual([
      ['gpu-count', 'bad', '1'],
      ['gpu-model', 'bad', 'AMD Instinct MI300X'],
      ['gpu-memory', 'good', '1 × 206 GB'],
      ['driver', 'good', '6.7.0'],
      ['pcie', 'unknown', null],
      ['ecc', 'unknown', null],
      ['throttling', 'unknown', null],
    ])
  })

  it('compares speeds with the median of at least two earlier machines of the flavor', () => {
    const slow = { diskSpeed: 300 }
    expect(verdictOf('disk-speed', slow, { ...none, diskSpeed: [1_000] })).toEqual(['good', null])
    const earlier = { ...none, diskSpeed: [900, 1_100, 1_000] }
    expect(verdictOf('disk-speed', slow, earlier)).toEqual(['warning', 'slower-than-others'])
    expect(verdictOf('disk-speed', { diskSpeed: 700 }, earlier)).toEqual(['good', null])
  })

  it('reports a missing driver, and judges no GPU of another maker', () => {
    expect(verdictOf('gpu-count', { gpus: [] })).toEqual(['bad', 'no-driver'])
    const amd = { ...machine, flavor: { ...machine.flavor, gpu: 'AMD Instinct MI300X' } }
    expect(verdictOf('gpu-count', { gpus: [] }, none, amd)).toEqual(['unknown', 'no-amd-smi'])
    const cpuOnly = { ...machine, flavor: { ...machine.flavor, gpu: null, gpuCount: 0 } }
    expect(verdictOf('gpu-count', { gpus: [] }, none, cpuOnly)).toBeUndefined()
  })
})
