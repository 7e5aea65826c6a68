/** Meaning of a machine's status. Unknown statuses are `other` and shown verbatim. */
export type MachineState = 'running' | 'moving' | 'stopped' | 'failed' | 'other'

// The specification shows creating and running; the rest are common words for the power calls.
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

/** Looks up a status in a table, ignoring case. Own properties only, so `constructor` is unknown. */
export const stateIn = (
  states: Readonly<Record<string, MachineState>>,
  status: string | null | undefined,
): MachineState => {
  const word = status?.toLowerCase() ?? ''
  return Object.hasOwn(states, word) ? (states[word] ?? 'other') : 'other'
}

export const machineState = (status: string | null | undefined): MachineState => stateIn(known, status)
