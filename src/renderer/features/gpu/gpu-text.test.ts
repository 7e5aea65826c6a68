import { expect, it } from 'vitest'
import { outputs } from '../../../main/gpu/tools/fixtures/outputs'
import { gpuReport } from '../../../main/gpu/tools/nvidia-smi'
import {
  activityBars,
  burstText,
  isVirtual,
  memory,
  noProcesses,
  notBegunText,
  slowLoginText,
} from './gpu-text'

it('an empty list of processes is none on an idle GPU, and hidden if memory is in use', () => {
  const report = gpuReport({ stdout: outputs.h100, stderr: '', status: 0 })
  const gpus = report.kind === 'gpus' ? report.gpus : expect.fail(report.kind)
  const using = (memoryUsed: (typeof gpus)[number]['memoryUsed']) =>
    noProcesses(gpus.map((gpu, index) => (index === 0 ? { ...gpu, memoryUsed } : { ...gpu, memoryUsed: 4 })))
  expect([using(4), using(499), using('no-permission')]).toEqual(['none', 'none', 'none'])
  // As in the verdict about its machine.
  expect([using(500), using(580), using(62_464)]).toEqual(['hidden', 'hidden', 'hidden'])
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
