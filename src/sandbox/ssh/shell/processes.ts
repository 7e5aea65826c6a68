import { createLoad, type Load } from '../../cloud/utilization'
import { webServices } from '../web-services'
import type { SshMachine } from '../machine'
import { gpusOf } from './gpu'

/** Running program. `cpu`: percent of one core; `memory`: percent of the machine's memory; `started`: epoch seconds. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly user: string
  readonly cpu: number
  readonly memory: number
  readonly started: number
  readonly command: string
}

const defaultCores = 8
export const coresOf = ({ cpu }: Pick<SshMachine, 'cpu'>): number => cpu ?? defaultCores

/** Returns the load of the machine in the current minute, the same that its metrics report. `now`: epoch seconds. */
export const currentLoad = (machine: Pick<SshMachine, 'id' | 'workload'>, now: number): Load =>
  createLoad({ id: machine.id, workload: machine.workload?.() ?? 'idle' })(Math.floor(now / 60))

const system: readonly (readonly [pid: number, parent: number, command: string])[] = [
  [1, 0, '/sbin/init'],
  [2, 0, '[kthreadd]'],
  [402, 1, '/lib/systemd/systemd-journald'],
  [689, 1, '/usr/sbin/cron -f'],
  [712, 1, 'sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups'],
]

/**
 * Returns the machine's processes at `now` (epoch seconds), ordered by pid. The programs on its GPUs share the load of
 * its CPUs. `started`: its last boot.
 */
export function processesOf(machine: SshMachine, started: number, now: number): readonly Process[] {
  const idle = { cpu: 0, memory: 0.1, started }
  const load = currentLoad(machine, now)
  const onGpus = gpusOf(machine, now).flatMap(({ processes }) => processes)
  const share = onGpus.length === 0 ? 0 : 1 / onGpus.length
  return [
    ...system.map(([pid, parent, command]) => ({ ...idle, pid, parent, user: 'root', command })),
    ...webServices.map(({ pid, process }) => ({
      ...idle,
      pid,
      parent: 1,
      user: machine.username,
      command: process,
    })),
    ...onGpus.map(({ pid, command, seconds }) => ({
      pid,
      parent: 1,
      user: machine.username,
      cpu: Math.round(load.cpu * coresOf(machine) * share * 10) / 10,
      memory: Math.round(load.memory * share * 10) / 10,
      started: now - seconds,
      command,
    })),
  ].sort((left, right) => left.pid - right.pid)
}
