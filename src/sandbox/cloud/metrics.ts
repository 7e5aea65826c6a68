import { durationSeconds, type MetricDuration } from '#shared/service/metrics'
import { workloadOf } from './gpu-profile'
import { createLoad } from './utilization'
import type { MachineRecord } from './records'

const minute = 60
const day = 86_400

/** Age of the oldest point in seconds. */
const retention = 30 * day

/**
 * Returns a point for every full minute in (`now` − duration, `now`] in which the machine ran. The same machine and
 * minute always have the same values. `now`: epoch seconds.
 */
export function machineMetrics(machine: MachineRecord, duration: MetricDuration | undefined, now: number) {
  const period = duration === undefined ? retention : durationSeconds[duration]
  const until = Math.min(now, machine.stoppedTime ?? now)
  const from = Math.max(now - period, machine.startedTime === null ? now : machine.createdTime)
  const load = createLoad({ id: machine.id, workload: workloadOf(machine) })
  const first = Math.floor(from / minute) + 1
  const points = Array.from({ length: Math.max(0, Math.floor(until / minute) - first + 1) }, (_, index) => {
    const at = first + index
    return { time: at * minute, ...load(at) }
  })
  return {
    cpu: { unit: '%' as const, data: points.map(({ time, cpu }) => ({ time, value: cpu })) },
    memory: { unit: '%' as const, data: points.map(({ time, memory }) => ({ time, value: memory })) },
    disk: {
      unit: 'GB' as const,
      data: points.map(({ time, diskRead, diskWrite }) => ({ time, read: diskRead, write: diskWrite })),
    },
    network: {
      unit: 'GB' as const,
      data: points.map(({ time, networkIn, networkOut }) => ({ time, in: networkIn, out: networkOut })),
    },
  }
}
