import { describe, expect, it } from 'vitest'
import { makeMachine, testTime } from '../fixtures/machines'
import type { Workload } from '../../cloud/records'
import { gpusOf } from './gpu'
import { coresOf, currentLoad, processesOf } from './processes'

const day = Array.from({ length: 144 }, (_, index) => testTime + index * 600)
const machineWith = (workload: Workload) =>
  makeMachine({ gpuProfile: () => workload, workload: () => workload })
const startedAt = testTime - 86_400

describe('the processes of a machine', () => {
  it.each(['training', 'inference', 'notebook', 'nightly'] as const)(
    'use the CPUs and hold GPU memory while the GPUs work on %s',
    (workload) => {
      const machine = machineWith(workload)
      const busy = day.filter((now) => gpusOf(machine, now).some(({ load }) => load > 0))
      expect(busy.length).toBeGreaterThan(0)
      for (const now of busy) {
        const gpus = gpusOf(machine, now)
        const pids = gpus.flatMap(({ processes }) => processes.map(({ pid }) => pid))
        const working = processesOf(machine, startedAt, now).filter(({ cpu }) => cpu > 0)
        expect(working.map(({ pid }) => pid)).toEqual(pids.toSorted((left, right) => left - right))
        expect(gpus.every(({ memory, memoryUsed }) => memoryUsed > memory / 10)).toBe(true)
        const used = working.reduce((sum, { cpu }) => sum + cpu, 0)
        expect(Math.abs(used / coresOf(machine) - currentLoad(machine, now).cpu)).toBeLessThan(0.1)
      }
    },
  )

  it('use neither CPUs nor GPUs on an idle machine', () => {
    for (const now of day) {
      const machine = machineWith('idle')
      expect(processesOf(machine, startedAt, now).filter(({ cpu }) => cpu > 0)).toEqual([])
      expect(gpusOf(machine, now).flatMap(({ processes }) => processes)).toEqual([])
      expect(currentLoad(machine, now).cpu).toBeLessThan(6)
    }
  })

  it('hold no GPU memory while their CPUs have no work', () => {
    for (const workload of ['notebook', 'nightly'] as const) {
      const machine = machineWith(workload)
      const resting = day.filter((now) => gpusOf(machine, now).every(({ load }) => load === 0))
      expect(resting.length).toBeGreaterThan(0)
      for (const now of resting)
        expect(gpusOf(machine, now).every(({ memoryUsed }) => memoryUsed < 10)).toBe(true)
    }
  })

  it('are the system, services and programs, each with its own id', () => {
    const all = processesOf(machineWith('training'), startedAt, testTime)
    expect(all.map(({ command }) => command)).toEqual(
      expect.arrayContaining(['/sbin/init', 'jupyter-lab', expect.stringMatching(/python train\.py/)]),
    )
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(all.length)
  })
})
