/** How a machine's status is read. Statuses never seen before are `other` and shown as the service says them. */
export type MachineState = 'running' | 'moving' | 'stopped' | 'failed' | 'other'

// The specification shows creating and running; the others are the field's usual words for the power calls.
const known: Readonly<Record<string, MachineState>> = {
  running: 'running',
  active: 'running',
  creating: 'moving',
  building: 'moving',
  starting: 'moving',
  stopping: 'moving',
  rebooting: 'moving',
  reboot: 'moving',
  hard_reboot: 'moving',
  deleting: 'moving',
  stopped: 'stopped',
  shutoff: 'stopped',
  error: 'failed',
  failed: 'failed',
}

/** The state that a table gives a status, whatever its case; what every object has, such as `constructor`, is none. */
export const stateIn = (
  states: Readonly<Record<string, MachineState>>,
  status: string | null | undefined,
): MachineState => {
  const word = status?.toLowerCase() ?? ''
  return Object.hasOwn(states, word) ? (states[word] ?? 'other') : 'other'
}

export const machineState = (status: string | null | undefined): MachineState => stateIn(known, status)
