import { type MachineState, stateIn } from './machine-state'

// The specification shows creating and detaching; the rest were seen elsewhere (service-extensions.md).
const known: Readonly<Record<string, MachineState>> = {
  'in-use': 'running',
  attached: 'running',
  available: 'stopped',
  creating: 'moving',
  attaching: 'moving',
  detaching: 'moving',
  downloading: 'moving',
  deleting: 'moving',
  error: 'failed',
  failed: 'failed',
}

/** Meaning of a volume's status: in use counts as running, available as stopped. Unknown statuses are `other`. */
export const volumeState = (status: string | null | undefined): MachineState => stateIn(known, status)
