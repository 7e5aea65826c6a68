import { conflict } from '../api-error'
import type { Cloud } from './cloud'
import { transitionSeconds, type MachineRecord } from './records'

/** Status that each power action requires, its temporary status with the duration, and the final status. */
const actions = {
  start: {
    from: 'stopped',
    meanwhile: 'starting',
    seconds: transitionSeconds.machineStarting,
    to: 'running',
  },
  stop: { from: 'running', meanwhile: 'stopping', seconds: transitionSeconds.machineStopping, to: 'stopped' },
  reboot: {
    from: 'running',
    meanwhile: 'rebooting',
    seconds: transitionSeconds.machineRebooting,
    to: 'running',
  },
} as const
export type PowerAction = keyof typeof actions
export const powerActions = ['start', 'stop', 'reboot'] as const satisfies readonly PowerAction[]

/** Begins to start, stop or reboot a machine, whose billing continues. Throws ApiError in any other status. */
export function changePower(cloud: Cloud, machine: MachineRecord, action: PowerAction): void {
  const { from, meanwhile, seconds, to } = actions[action]
  if (machine.status !== from) {
    throw conflict('id', `names a machine that is ${machine.status}; it must be ${from} to ${action}`)
  }
  cloud.setMachineStatus(machine, meanwhile)
  machine.transition = { to, at: cloud.now() + seconds / cloud.speed }
  cloud.changed(machine)
}
