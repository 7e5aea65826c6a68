import { expect, it } from 'vitest'
import type { GpuProcess } from '#shared/bridge/gpu'
import { outputs } from '../../../main/gpu/tools/fixtures/outputs'
import { gpuReport } from '../../../main/gpu/tools/nvidia-smi'
import {
  activityBars,
  burstText,
  isVirtual,
  memory,
  notBegunText,
  processesNote,
  slowLoginText,
} from './gpu-text'

it('an empty list of processes is none on an idle GPU, and hidden if memory is in use', () => {
  const report = gpuReport({ stdout: outputs.h100, stderr: '', status: 0 })
  const gpus = report.kind === 'gpus' ? report.gpus : expect.fail(report.kind)
  const using = (memoryUsed: (typeof gpus)[number]['memoryUsed']) =>
    processesNote(
      gpus.map((gpu, index) => (index === 0 ? { ...gpu, memoryUsed } : { ...gpu, memoryUsed: 4 })),
      [],
    )
  for (const memoryUsed of [4, 499, 'no-permission'] as const)
    expect(using(memoryUsed)).toBe('No GPU processes')
  // As in the verdict about its machine.
  for (const memoryUsed of [500, 580, 62_464]) expect(using(memoryUsed)).toMatch(/^Memory is in use/)
})

it('a list of processes names the GPUs whose memory none of them holds', () => {
  const report = gpuReport({ stdout: outputs.h100, stderr: '', status: 0 })
  const [gpu] = report.kind === 'gpus' ? report.gpus : []
  if (!gpu) expect.fail()
  const gpus = [0, 1, 2, 3].map((index) => ({
    ...gpu,
    id: `GPU-${index}`,
    index,
    memoryUsed: index === 2 ? 4 : 62_464,
  }))
  const processOn = (id: string): GpuProcess => ({
    gpu: id,
    pid: 1,
    name: 'python',
    memory: 1,
    share: null,
    user: null,
    command: null,
    seconds: null,
    start: null,
  })
  expect(processesNote(gpus, [processOn('GPU-0')])).toMatch(/^No process is listed .* GPU 1, 3:/)
  expect(processesNote(gpus, [processOn('GPU-0'), processOn('GPU-1'), processOn('GPU-3')])).toBeNull()
  // A process in an instance of a split GPU.
  expect(processesNote(gpus, [processOn('MIG-1')])).toBeNull()
})

it('the bars of a GPU name its parts, or one estimate', () => {
  const measured = { kind: 'measured', sm: 96, tensor: 93, memory: 16, encoder: 0, decoder: 0 } as const
  expect(activityBars({ activity: measured }).map(({ name, value }) => `${name} ${value.text}`)).toEqual([
    'Cores 96 %',
    'Tensor 93 %',
    'Bandwidth 16 %',
  ])
  expect(activityBars({ activity: { kind: 'estimated', share: 8 } })).toMatchObject([
    { name: 'Estimate', share: 0.08 },
  ])
  expect(activityBars({ activity: null })).toEqual([])
})

it('work between the readings is shown if it is much more than the last reading', () => {
  const samples = { seconds: 14, max: 89, average: 2, video: 0 }
  expect(burstText({ utilization: 0, samples })).toBe('Up to 89 % in the last 14 s')
  expect(burstText({ utilization: 80, samples })).toBeNull()
  expect(burstText({ utilization: 0, samples: null })).toBeNull()
})

it('a GPU without memory of its own, and a share of a GPU, are named', () => {
  const report = gpuReport({ stdout: outputs.h100, stderr: '', status: 0 })
  const [gpu] = report.kind === 'gpus' ? report.gpus : []
  if (!gpu) throw new Error('no GPU')
  const shared = {
    ...gpu,
    name: 'NVIDIA GB10',
    memoryUsed: 'not-available',
    memoryTotal: 'not-available',
  } as const
  expect(memory(shared).text).toBe('Shared')
  expect(memory(gpu).text).toBe('74.7 of 79.6 GiB')
  const names = ['NVIDIA A10-8Q', 'NVIDIA H100-1-10C', 'NVIDIA H100 80GB HBM3', 'NVIDIA GB10']
  expect(names.filter((name) => isVirtual({ name }))).toEqual(['NVIDIA A10-8Q', 'NVIDIA H100-1-10C'])
})

it('a slow login is no reason to reboot, and shows what it printed', () => {
  const text = slowLoginText({ kind: 'slow-login', seconds: 20, loginOutput: 'hello' })
  expect(text).toMatchObject({ title: 'Signing in to the machine is slow', loginOutput: 'hello' })
  expect(`${text.text} ${text.next ?? ''}`).not.toMatch(/reboot|driver/i)
})

it('a machine that runs no commands has its own text', () => {
  expect(notBegunText({ why: 'refused', said: 'This account is closed.' }).text).toContain(
    'This account is closed.',
  )
  expect(notBegunText({ why: 'refused', said: 'closed' }).text).not.toContain('~/.bashrc')
  expect(notBegunText({ why: 'restricted', said: 'x' }).title).toBe('Restricted login shell')
  expect(notBegunText({ why: 'no-shell', said: 'x' }).title).toBe('Not supported on this machine')
})

it('a machine that prints nothing instead of a command may have a start-up file that starts another shell', () => {
  const { text } = notBegunText({ why: 'refused', said: '' })
  expect(text).toMatch(/start-up file .* another shell.* exec fish in ~\/\.bashrc/)
})
