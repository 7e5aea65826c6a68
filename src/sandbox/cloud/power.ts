import { conflict } from '../api-error'
import type { MachineRecord } from './records'
import { durations } from './transitions'
import type { World } from './cloud'

/** What each power call needs, what the machine is meanwhile, for how long, and what it becomes. */
const calls = {
  start: { from: 'stopped', meanwhile: 'starting', seconds: durations.machineStarting, to: 'running' },
  stop: { from: 'running', meanwhile: 'stopping', seconds: durations.machineStopping, to: 'stopped' },
  reboot: { from: 'running', meanwhile: 'rebooting', seconds: durations.machineRebooting, to: 'running' },
} as const
export type PowerCall = keyof typeof calls
export const powerCalls = ['start', 'stop', 'reboot'] as const satisfies readonly PowerCall[]

/** Begins to start, stop or reboot a machine. Its billing goes on. Throws Refusal in any other state. */
export function changePower(world: World, machine: MachineRecord, call: PowerCall): void {
  const { from, meanwhile, seconds, to } = calls[call]
  if (machine.status !== from) {
    throw conflict('id', `names a machine that is ${machine.status}; it must be ${from} to ${call}`)
  }
  world.setMachineStatus(machine, meanwhile)
  machine.transition = { to, at: world.now() + seconds / world.speed }
  world.changed(machine)
}
