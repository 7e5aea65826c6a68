import { describe, expect, it } from 'vitest'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { gpuReport, withDetails } from './nvidia-smi'

function reportOf(stdout: string) {
  const report = gpuReport({ stdout, stderr: '', status: 0 })
  if (report.kind !== 'gpus') throw new Error(report.kind)
  return report
}
const idle = `${realGpu('h100-idle.csv')}== samples\n${realGpu('h100-idle.q.txt')}`
const table = (text: string, first: RegExp): string => {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => first.test(line))
  return lines.slice(start, start + 4).join('\n')
}

describe('the answers of an H100 and an H200', () => {
  it('an idle GPU has samples, and no activity before it is read', () => {
    expect(reportOf(idle).gpus).toEqual([
      expect.objectContaining({
        name: 'NVIDIA H100 80GB HBM3',
        power: 71.11,
        throttle: ['idle'],
        samples: { seconds: 14, max: 0, average: 0, video: 0 },
        activity: null,
      }),
    ])
  })

  it('memory that is held names its process, at high clocks and without the idle bit', () => {
    const answer = realGpu('h100-memory-held.txt')
    const processes = table(answer, /^gpu_uuid/)
      .split('\n')
      .slice(0, 2)
      .join('\n')
    const details = `== activity\n${realGpu('h100-memory-held.dmon.txt')}\n== processes\n${processes}\n== shares\n${table(answer, /^# gpu +pid/)}`
    const report = withDetails(reportOf(answer.split('\n').slice(0, 2).join('\n')), details)
    expect(report.gpus).toMatchObject([
      { utilization: 0, memoryUsed: 10_767, power: 122.9, clock: 1_980, throttle: [], activity: { sm: 0 } },
    ])
    expect(report.processes).toEqual([
      expect.objectContaining({ pid: 1_065, name: 'python3', memory: 10_758, share: 0 }),
    ])
  })

  it('processes have their share of the work', () => {
    const answer = realGpu('h100-processes.txt').split('### two programs')[1] ?? ''
    const processes = table(answer, /^gpu_uuid/)
      .split('\n')
      .slice(0, 3)
      .join('\n')
      .replaceAll('GPU-…', reportOf(idle).gpus[0]?.id ?? '')
    const details = `== processes\n${processes}\n== shares\n${table(answer, /^# gpu +pid/)}`
    expect(withDetails(reportOf(idle), details).processes?.map(({ pid, share }) => [pid, share])).toEqual([
      [526, 28],
      [525, 70],
    ])
  })

  it('another pid namespace lists no process and no share', () => {
    const answer = realGpu('h200-other-pid-namespace.txt').split('in another namespace:')[1] ?? ''
    const details = `== processes\n${table(answer, /^gpu_uuid/)}\n== shares\n${table(answer, /^# gpu +pid/)}`
    expect(withDetails(reportOf(idle), details).processes).toEqual([])
  })

  it('a GPU in instances names them with their memory', () => {
    const id = reportOf(idle).gpus[0]?.id ?? ''
    const list = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: ${id})\n  MIG 3g.40gb     Device  0: (UUID: MIG-1)\n  MIG 1g.10gb     Device  1: (UUID: MIG-2)\n`
    // As in the MIG User Guide (R570), with the second instance left out.
    const slices = [
      '| MIG devices:                                                                            |',
      '|  0    2   0   0  |            11MiB / 40448MiB    | 42      0 |  3   0    2    0    0 |',
      '|                  |                 0MiB / 65535MiB  |           |                       |',
    ].join('\n')
    expect(
      withDetails(reportOf(idle), `== instances\n${list}\n== slices\n${slices}\n`).gpus[0]?.instances,
    ).toEqual([
      { profile: '3g.40gb', memoryUsed: 11, memoryTotal: 40_448 },
      { profile: '1g.10gb', memoryUsed: 'not-available', memoryTotal: 'not-available' },
    ])
  })
})
