import type { MetricDuration, Metrics } from '#shared/service/metrics'
import { createLoad } from './utilization'
import type { MachineRecord } from './records'

const minute = 60
const hour = 3_600
const day = 86_400

const durationSeconds: Readonly<Record<MetricDuration, number>> = {
  '1h': hour,
  '2h': 2 * hour,
  '4h': 4 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '15d': 15 * day,
  '30d': 30 * day,
}

/** How far back measurements are kept, in seconds. */
const retention = 30 * day

/**
 * A point for every full minute in (`now` − duration, `now`] in which the machine ran since its creation. The same
 * machine and minute give the same values, whenever they are asked for. `now` is epoch seconds.
 */
export function machineMetrics(
  machine: MachineRecord,
  duration: MetricDuration | undefined,
  now: number,
): Metrics {
  const period = duration === undefined ? retention : durationSeconds[duration]
  const until = Math.min(now, machine.stoppedTime ?? now)
  const from = Math.max(now - period, machine.startedTime === null ? now : machine.createdTime)
  const load = createLoad(machine)
  const metrics: Metrics = {
    cpu: { unit: '%', data: [] },
    memory: { unit: '%', data: [] },
    disk: { unit: 'GB', data: [] },
    network: { unit: 'GB', data: [] },
  }
  for (let time = (Math.floor(from / minute) + 1) * minute; time <= until; time += minute) {
    const at = load(time / minute)
    metrics.cpu.data.push({ time, value: at.cpu })
    metrics.memory.data.push({ time, value: at.memory })
    metrics.disk.data.push({ time, read: at.diskRead, write: at.diskWrite })
    metrics.network.data.push({ time, in: at.networkIn, out: at.networkOut })
  }
  return metrics
}
