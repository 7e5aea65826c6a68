import { describe, expect, it } from 'vitest'
import { Metrics } from '#shared/service/metrics'
import { machineMetrics } from './metrics'
import { seedCloud } from './seed'
import type { MachineRecord } from './records'

const now = 1_795_269_637
const { machines } = seedCloud({ seed: 7, machines: 12, now, speed: 1, dedicatedAddresses: true })
const named = (name: string): MachineRecord => {
  const machine = machines.find((one) => one.name === name)
  if (machine === undefined) throw new Error(`no machine ${name}`)
  return machine
}
const times = (metrics: Metrics): number[] => metrics.cpu.data.map(({ time }) => time)

describe('metrics', () => {
  it('have a point for every minute of the period, oldest first, in all four groups', () => {
    const metrics = machineMetrics(named('serve-embeddings'), '1d', now)
    expect(Metrics.safeParse(metrics).success).toBe(true)
    const expected = Array.from(
      { length: 1_440 },
      (_, index) => Math.floor(now / 60) * 60 - (1_439 - index) * 60,
    )
    expect(times(metrics)).toEqual(expected)
    for (const group of [metrics.memory, metrics.disk, metrics.network]) {
      expect(group.data.map(({ time }) => time)).toEqual(expected)
    }
  })

  it('go back 30 days, or to the machine’s creation', () => {
    expect(times(machineMetrics(named('serve-embeddings'), undefined, now))).toHaveLength(43_200)
    const young = named('finetune-qwen')
    const first = times(machineMetrics(young, '30d', now))[0] ?? 0
    expect(first).toBeGreaterThan(young.createdTime)
    expect(first - young.createdTime).toBeLessThanOrEqual(60)
  })

  it('end when the machine was stopped, and are empty while it is created', () => {
    const stopped = named('notebook-jonas')
    expect(times(machineMetrics(stopped, '30d', now)).at(-1)).toBeLessThanOrEqual(stopped.stoppedTime ?? 0)
    expect(times(machineMetrics(named('train-llama-03'), '30d', now))).toEqual([])
  })

  it('have the same values for a minute in every request', () => {
    const machine = named('eval-nightly')
    const later = machineMetrics(machine, '2h', now + 3_600)
    const before = machineMetrics(machine, '1h', now)
    expect(later.cpu.data.slice(0, 60)).toEqual(before.cpu.data)
  })

  it('distinguish a busy machine from an idle one', () => {
    const average = (name: string): number => {
      const { data } = machineMetrics(named(name), '3d', now).cpu
      return data.reduce((sum, point) => sum + (point.value ?? 0), 0) / data.length
    }
    expect(average('train-llama-01')).toBeGreaterThan(70)
    expect(average('old-experiment')).toBeLessThan(5)
    for (const machine of machines) {
      for (const point of machineMetrics(machine, '1d', now).memory.data) {
        expect(point.value).toBeGreaterThanOrEqual(0)
        expect(point.value).toBeLessThanOrEqual(100)
      }
    }
  })
})
